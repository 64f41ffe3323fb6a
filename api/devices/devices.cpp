// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Virtual GPUs come from drivers/vendors/chips.cpp, through winsys/virtual/door/module.h.
#include "api/devices/devices.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "api/devices/debug_drivers.h"
#include "drivers/soft/factory.h"
#include "drivers/vendors/list.h"
#include "drivers/vendors/screens.h"
#include "pipe/debug.h"
#include "pipe/time_limit.h"
#include "winsys/drm/drm_file.h"
#include "winsys/environment/environment.h"
#include "winsys/uapi/drm.h"
#include "winsys/virtual/door/module.h"

namespace terrazzo::api {

namespace {

constexpr char kDefault[] = "soft";
#define TERRAZZO_ROW(vendor) +1
constexpr int kVendors = 0 TERRAZZO_VENDORS(TERRAZZO_ROW);
#undef TERRAZZO_ROW
constexpr char kNoMemory[] = "the CPU driver could not start: out of memory";
constexpr char kRenderNodes[] = "/dev/dri/renderD";
constexpr int kFirstRenderNode = 128, kRenderNodeCount = 64;

using CreateScreen = std::unique_ptr<pipe::Screen> (*)(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                                       std::string* why);

/// A driver, by the files that it works on: those of a real or virtual kernel driver.
struct Driver {
    std::string_view kernel_driver;
    CreateScreen create_screen;
    pipe::DebugDriver debug;
};

/// Null: this build has no driver for the kernel driver.
const Driver* find_driver([[maybe_unused]] std::string_view kernel_driver) {
#define TERRAZZO_ROW(vendor)                                                           \
    static constexpr Driver vendor##_row{vendor::kKernelDriver, vendor::create_screen, \
                                         vendor::kDebugDriver};                        \
    if (kernel_driver == vendor##_row.kernel_driver) return &vendor##_row;
    TERRAZZO_VENDORS(TERRAZZO_ROW)
#undef TERRAZZO_ROW
    return nullptr;
}

bool is_virtual(std::string_view name) {
    return name.starts_with("sim:") || name.starts_with("noop:");
}

std::unique_ptr<pipe::Screen> open_drm(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                       std::string* why) {
    const std::string name = kernel_driver(*drm);
    if (const Driver* driver = find_driver(name)) return driver->create_screen(std::move(drm), log, why);
    *why = name.empty() ? "no node of a GPU" : "there is no driver for the kernel's '" + name + "' here";
    return nullptr;
}

/// open_drm() for a device that a program will use: reports words of TERRAZZO_DEBUG that have no effect on
/// it.
std::unique_ptr<pipe::Screen> open_drm_for_use(std::unique_ptr<winsys::Drm> drm, std::string_view name,
                                               bool on_virtual_gpu, const pipe::Log& log, std::string* why) {
    const Driver* const driver = find_driver(kernel_driver(*drm));
    std::unique_ptr<pipe::Screen> screen = open_drm(std::move(drm), log, why);
    if (screen && driver)
        pipe::report_words_without_effect(name, {&driver->debug, on_virtual_gpu}, debug_drivers());
    return screen;
}

std::unique_ptr<pipe::Screen> open_node(const std::string& path, const pipe::Log& log, std::string* why) {
    std::unique_ptr<winsys::Drm> drm = winsys::open_drm_node(path.c_str(), why);
    return drm ? open_drm_for_use(std::move(drm), path, winsys::is_shim_node(path.c_str()), log, why)
               : nullptr;
}

std::string no_such_device(std::string_view name) {
    std::string why = "no such device; there is:";
    for (const Device& d : devices())
        if (d.name != name) why += " " + d.name;
    return why + ", and noop: in place of sim:";
}

std::unique_ptr<pipe::Screen> open_virtual(std::string_view name, const pipe::Log& log, std::string* why) {
    if (!kVendors) {
        *why =
            "this build only has the CPU driver: meson configure BUILD -Ddrivers= adds others "
            "(meson.options lists them)";
        return nullptr;
    }
    const winsys::virt::Module* const module = winsys::virt::open_module(why);
    if (!module) return nullptr;
    const winsys::virt::Chip* const chip = winsys::virt::find_chip(name, module->chips());
    if (!chip) {
        *why = no_such_device(name);
        return nullptr;
    }
    if (!find_driver(chip->kernel_driver())) {
        *why = "there is no driver yet for '" + std::string(chip->kernel_driver()) +
               "', the kernel driver of " + std::string(chip->name());
        return nullptr;
    }
    std::shared_ptr<winsys::virt::Device> device =
        winsys::virt::create_device(name, module->chips(), why, pipe::draw_limit_ns(true));
    if (!device) return nullptr;
    std::unique_ptr<winsys::Drm> drm = module->open_drm(std::move(device));
    if (!drm) {
        *why = "the virtual GPU could not start: out of memory";
        return nullptr;
    }
    return open_drm_for_use(std::move(drm), name, true, log, why);
}

/// Names of the virtual GPUs that have a driver; empty if their library is not installed.
std::vector<std::string> virtual_gpus() {
    std::string why;
    const winsys::virt::Module* const module = winsys::virt::open_module(&why);
    std::vector<std::string> names;
    if (!module) return names;
    for (const std::string& name : winsys::virt::device_names(module->chips())) {
        const winsys::virt::Chip* const chip = winsys::virt::find_chip(name, module->chips());
        if (name.starts_with("sim:") && find_driver(chip->kernel_driver())) names.push_back(name);
    }
    return names;
}

/// An unused dma-buf of a card, which the caller owns; -1: the file is not a card's, or its buffers cannot be
/// shared.
int create_idle_dmabuf(winsys::Drm& drm) {
    uapi::drm_mode_create_dumb dumb{};
    dumb.width = 64, dumb.height = 1, dumb.bpp = 32;
    if (drm.ioctl(uapi::kIoctlModeCreateDumb, &dumb) != 0) return -1;
    uapi::drm_prime_handle prime{.handle = dumb.handle, .flags = O_CLOEXEC | O_RDWR, .fd = -1};
    const bool exported = drm.ioctl(uapi::kIoctlPrimeHandleToFd, &prime) == 0;
    uapi::drm_gem_close close{.handle = dumb.handle, .pad = 0};
    (void)drm.ioctl(uapi::kIoctlGemClose, &close);
    return exported ? prime.fd : -1;
}

/// The CPU driver for a DRM file.
std::unique_ptr<pipe::Screen> open_software(winsys::Drm& drm, const pipe::Log& log) {
    soft::SoftOptions options;
    options.idle_dmabuf = create_idle_dmabuf(drm);
    std::unique_ptr<pipe::Screen> screen = soft::create_screen(options, log);
    if (options.idle_dmabuf >= 0) close(options.idle_dmabuf);
    return screen;
}

/// A kernel driver without a GPU, whose nodes are for programs that need one: the CPU draws.
bool has_no_gpu(std::string_view kernel_driver) {
    return kernel_driver == "vgem";
}

bool has_driver(const std::string& node) {
    std::string why;
    const std::unique_ptr<winsys::Drm> drm = winsys::open_drm_node(node.c_str(), &why);
    return drm && find_driver(kernel_driver(*drm));
}

bool is_device(const std::string& node) {
    struct stat s;
    return stat(node.c_str(), &s) == 0 && S_ISCHR(s.st_mode);
}

bool has_number(const std::string& node, uint64_t number) {
    struct stat s;
    return stat(node.c_str(), &s) == 0 && S_ISCHR(s.st_mode) && s.st_rdev == number;
}

struct RenderNode {
    Device device;
    std::string kernel_driver;
    std::unique_ptr<winsys::Drm> drm;
};

/// The nodes that can be opened, by number, each device once.
std::vector<RenderNode> find_render_nodes() {
    std::vector<RenderNode> list;
    std::vector<uint64_t> numbers;
    for (int i = kFirstRenderNode; i < kFirstRenderNode + kRenderNodeCount; ++i) {
        const std::string path = kRenderNodes + std::to_string(i);
        struct stat st {};
        if (stat(path.c_str(), &st) != 0 || std::ranges::count(numbers, uint64_t(st.st_rdev))) continue;
        std::string why;
        std::unique_ptr<winsys::Drm> drm = winsys::open_drm_node(path.c_str(), &why);
        if (!drm) continue;
        numbers.push_back(st.st_rdev);
        const std::string primary = primary_node_of("renderD" + std::to_string(i));
        const std::string driver = kernel_driver(*drm);
        list.push_back(
            {{.name = path, .render_node = path, .primary_node = primary}, driver, std::move(drm)});
    }
    return list;
}

/// The CPU driver without a caller's DRM file. Fences come from the shim's node if that has no GPU. Nodes of
/// the kernel are not opened: that may wake a GPU, and a render node has no dumb buffers.
std::unique_ptr<pipe::Screen> open_software(const pipe::Log& log) {
    for (int i = kFirstRenderNode; i < kFirstRenderNode + kRenderNodeCount; ++i) {
        const std::string path = kRenderNodes + std::to_string(i);
        if (!winsys::is_shim_node(path.c_str())) continue;
        std::string why;
        const std::unique_ptr<winsys::Drm> drm = winsys::open_drm_node(path.c_str(), &why);
        if (drm && has_no_gpu(kernel_driver(*drm))) return open_software(*drm, log);
    }
    return soft::create_screen({}, log);
}

std::vector<Device> find_devices() {
    const std::string chosen = chosen_device();
    std::vector<Device> list{{.name = kDefault, .software = true}};
    Device shown{.name = chosen};  // the virtual GPU of the shim's nodes
    for (RenderNode& node : find_render_nodes()) {
        const Device& d = node.device;
        if (has_no_gpu(node.kernel_driver) && list[0].render_node.empty())
            list[0].render_node = d.render_node, list[0].primary_node = d.primary_node;
        if (!find_driver(node.kernel_driver)) continue;
        std::string why;
        if (is_virtual(chosen) && winsys::is_shim_node(d.name.c_str()))
            shown.render_node = d.render_node, shown.primary_node = d.primary_node;
        else if (open_drm(std::move(node.drm), {},
                          &why))  // otherwise an unknown GPU, or an old kernel
            list.push_back(d);
    }
    for (const std::string& name : virtual_gpus())
        list.push_back(name == chosen ? shown : Device{.name = name});
    // A program that uses the first device gets the chosen one, even if it cannot be opened: eglInitialize
    // then returns the reason.
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const Device& d) { return d.name == chosen; });
    if (found != list.end()) {
        std::rotate(list.begin(), found, found + 1);
    } else {
        if (chosen.starts_with("/")) shown.render_node = chosen;
        list.insert(list.begin(), shown);
    }
    return list;
}

}  // namespace

const std::vector<Device>& devices() {
    // Never destroyed: a program may call EGL while it exits.
    static const auto* const list = new std::vector<Device>(find_devices());
    return *list;
}

std::unique_ptr<pipe::Screen> open_device(std::string_view name, const pipe::Log& log, std::string* why) {
    if (name == kDefault) {
        std::unique_ptr<pipe::Screen> s = open_software(log);
        if (!s) *why = kNoMemory;
        if (s) pipe::report_words_without_effect(kDefault, {}, debug_drivers());
        return s;
    }
    if (name.starts_with("/")) return open_node(std::string(name), log, why);
    if (is_virtual(name)) return open_virtual(name, log, why);
    *why = no_such_device(name);
    return nullptr;
}

FileDevice open_device_for_fd(int fd, const pipe::Log& log, std::string* why) {
    FileDevice out;
    out.nodes = nodes_of(fd);
    std::unique_ptr<winsys::Drm> drm = winsys::open_drm_fd(fd, why);
    if (!drm) return out;
    const std::string kernel = kernel_driver(*drm);
    const char* const asked = winsys::environment(winsys::Variable::Device);
    out.name = asked && *asked ? chosen_device() : "";
    if (out.name.empty() && kernel.empty()) {
        *why = "the file is none of a DRM device";
        return out;
    }
    // TERRAZZO_DEVICE also selects the shim's GPU, and may be the path of the file that was passed.
    const bool same = out.name.empty() || (is_virtual(out.name) && winsys::is_shim_file(fd)) ||
                      out.name == out.nodes.render || out.name == out.nodes.primary;
    out.on_file = same && find_driver(kernel);
    if (out.on_file) {
        if (!is_virtual(out.name)) out.name = out.nodes.render.empty() ? out.nodes.primary : out.nodes.render;
        out.screen = open_drm_for_use(std::move(drm), out.name, winsys::is_shim_file(fd), log, why);
        return out;
    }
    if (same) out.name = kDefault;
    out.software = out.name == kDefault;
    out.screen = out.software ? open_software(*drm, log) : open_device(out.name, log, why);
    if (out.software && out.screen) pipe::report_words_without_effect(kDefault, {}, debug_drivers());
    if (out.software && !out.screen) *why = kNoMemory;
    return out;
}

std::string chosen_device() {
    const char* const name = winsys::environment(winsys::Variable::Device);
    if (!name || !*name) return kDefault;
    // A card, or a link in /dev/dri/by-path, means the device of its render node, which the list has by that
    // name.
    const std::string render = *name == '/' ? nodes_at(name).render : "";
    return is_device(render) ? render : name;
}

std::string device_for_windows(uint64_t node_number) {
    const char* name = winsys::environment(winsys::Variable::Device);
    if (!node_number || (name && *name)) return chosen_device();
    for (int i = kFirstRenderNode; i < kFirstRenderNode + kRenderNodeCount; ++i) {
        const std::string path = kRenderNodes + std::to_string(i);
        if (has_number(path, node_number) ||
            has_number(primary_node_of("renderD" + std::to_string(i)), node_number))
            return has_driver(path) ? path : kDefault;
    }
    return kDefault;
}

}  // namespace terrazzo::api
