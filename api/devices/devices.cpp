// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Virtual GPUs come through their sim/chips.h; tests/house allows that here alone.
#include "api/devices/devices.h"

#include <cstdlib>
#include <cstring>

#include "drivers/mali/factory.h"
#include "drivers/mali/sim/chips.h"
#include "drivers/soft/factory.h"
#include "winsys/drm.h"
#include "winsys/uapi/drm.h"
#include "winsys/virtual/chips.h"

namespace terrazzo::api {

namespace {

constexpr char kDefault[] = "soft";
constexpr char kRenderNodes[] = "/dev/dri/renderD";
constexpr int kFirstRenderNode = 128, kRenderNodeCount = 64;

bool begins_with(std::string_view s, std::string_view head) {
    return s.substr(0, head.size()) == head;
}

/// The name of the kernel driver behind an open file; empty: it would not say.
std::string kernel_driver(winsys::Drm& drm) {
    char name[32] = {};
    uapi::drm_version v{};
    v.name = name;
    v.name_len = sizeof(name) - 1;
    return drm.ioctl(uapi::kIoctlVersion, &v) == 0 ? name : "";
}

std::unique_ptr<pipe::Screen> open_node(const std::string& path, const pipe::Log& log, std::string* why) {
    std::unique_ptr<winsys::Drm> drm = winsys::open_drm_node(path.c_str(), why);
    if (!drm) return nullptr;
    const std::string driver = kernel_driver(*drm);
    if (driver == "panthor") return mali::create_screen(std::move(drm), log, why);
    *why = path + ": no driver for a kernel driver named '" + driver + "'";
    return nullptr;
}

std::unique_ptr<pipe::Screen> open_virtual(std::string_view name, const pipe::Log& log, std::string* why) {
    std::shared_ptr<winsys::virt::Device> device =
        winsys::virt::create_device(name, mali::sim::virtual_chips(), why);
    if (!device) return nullptr;
    std::unique_ptr<winsys::Drm> drm = winsys::open_virtual_drm(std::move(device));
    if (!drm) {
        *why = "the virtual GPU could not start: out of memory";
        return nullptr;
    }
    return mali::create_screen(std::move(drm), log, why);
}

std::vector<Device> find_devices() {
    std::vector<Device> list{{kDefault, "", true}};
    for (int i = 0; i < kRenderNodeCount; ++i) {
        const std::string path = kRenderNodes + std::to_string(kFirstRenderNode + i);
        std::string why;
        const std::unique_ptr<winsys::Drm> drm = winsys::open_drm_node(path.c_str(), &why);
        if (drm && kernel_driver(*drm) == "panthor") list.push_back({path, path});
    }
    for (const std::string& name : winsys::virt::device_names(mali::sim::virtual_chips()))
        if (begins_with(name, "sim:")) list.push_back({name, ""});
    return list;
}

}  // namespace

const std::vector<Device>& devices() {
    // Never destroyed: a program may call EGL while it ends.
    static const auto* const list = new std::vector<Device>(find_devices());
    return *list;
}

std::unique_ptr<pipe::Screen> open_device(std::string_view name, const pipe::Log& log, std::string* why) {
    if (name == kDefault) {
        std::unique_ptr<pipe::Screen> s = soft::create_screen({}, log);
        if (!s) *why = "the CPU driver could not start: out of memory";
        return s;
    }
    if (begins_with(name, "/")) return open_node(std::string(name), log, why);
    if (begins_with(name, "sim:") || begins_with(name, "noop:")) {
        for (const std::string& known : winsys::virt::device_names(mali::sim::virtual_chips()))
            if (name == known) return open_virtual(name, log, why);
    }
    *why = std::string(name) + ": no such device; there is:";
    for (const Device& d : devices())
        *why += " " + d.name;
    return nullptr;
}

std::string chosen_device() {
    const char* name = std::getenv("TERRAZZO_DEVICE");
    return name && *name ? name : kDefault;
}

}  // namespace terrazzo::api
