// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The devices to draw on: the CPU, nodes of /dev/dri, the device of TERRAZZO_DEVICE.
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "api/command/explain/displays.h"
#include "api/command/explain/probes.h"
#include "api/command/facts.h"
#include "api/devices/nodes.h"
#include "winsys/drm/drm_file.h"
#include "winsys/environment/environment.h"
#include "winsys/memory/shared_memory.h"

namespace terrazzo::command {
namespace {

constexpr char kCpu[] = "soft", kUdmabuf[] = "/dev/udmabuf", kKernelDevices[] = "/sys/class/drm";

/// The CPU features that select the drawing code. Empty on CPUs other than x86.
std::string cpu_features() {
    std::string out;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    const auto add = [&](const char* name, int has) {
        if (has) out.append(out.empty() ? "" : ", ").append(name);
    };
    add("AVX", __builtin_cpu_supports("avx"));
    add("AVX2", __builtin_cpu_supports("avx2"));
    add("FMA", __builtin_cpu_supports("fma"));
    add("AVX-512", __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"));
    if (out.empty()) out = "no AVX";
    out = "; the CPU has " + out;
#endif
    return out;
}

std::string user_name() {
    const passwd* const p = getpwuid(geteuid());
    return p && p->pw_name ? p->pw_name : std::to_string(geteuid());
}

bool in_group(gid_t group) {
    std::vector<gid_t> groups(size_t(std::max(0, getgroups(0, nullptr))));
    const int count = getgroups(int(groups.size()), groups.data());
    groups.resize(size_t(std::max(0, count)));
    return getegid() == group || std::ranges::find(groups, group) != groups.end();
}

/// Whether the group's own list has the user: then only a new session is needed.
bool listed_in(const group& g) {
    const std::string user = user_name();
    for (char** m = g.gr_mem; m && *m; ++m)
        if (user == *m) return true;
    return false;
}

/// Why a file of /dev cannot be opened, and what to do.
Finding refusal(const std::string& path, int error) {
    Finding f{Level::Wrong, path, std::string("cannot be opened: ") + std::strerror(error), {}, {}};
    struct stat st {};
    if (error == EPERM) {
        f.what += ". The permissions are not what forbids it: a container's rules for devices do so";
        f.remedy = "let the container have the device (podman, docker: --device " + path + ")";
        return f;
    }
    if (error == ENXIO || error == ENODEV) {
        f.what += ". The kernel has no device for it";
        f.remedy = "load the device's kernel driver, or remove the node";
        return f;
    }
    if (error != EACCES || stat(path.c_str(), &st) != 0) return f;
    const group* const g = getgrgid(st.st_gid);
    const std::string name = g && g->gr_name ? g->gr_name : std::to_string(st.st_gid);
    char mode[8];
    std::snprintf(mode, sizeof mode, "%04o", unsigned(st.st_mode & 07777));
    f.what += ". It is of user " + std::to_string(st.st_uid) + " and group " + name + ", mode " + mode +
              "; this is user " + user_name();
    const bool group_may = (st.st_mode & (S_IRGRP | S_IWGRP)) == (S_IRGRP | S_IWGRP);
    if (group_may && !in_group(st.st_gid)) {
        f.what += ", which is not in that group";
        f.remedy = g && listed_in(*g)
                       ? "log in again: the group has " + user_name() + " since this session began"
                       : "usermod -aG " + name + " " + user_name() + ", then log in again";
    } else {
        f.remedy = "chmod g+rw " + path + " for a group that the user is in (lasting: a rule of udev)";
    }
    return f;
}

/// `name`: as in TERRAZZO_DEVICE.
Tried try_device(const Egl& egl, const std::string& name) {
    setenv("TERRAZZO_DEVICE", name.c_str(), 1);
    Tried t =
        try_display(egl, egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    const std::string begin = "TERRAZZO_DEVICE=" + name + ": ";
    if (t.why.starts_with(begin)) t.why.erase(0, begin.size());
    return t;
}

std::string threads_text(unsigned threads) {
    return threads == 1 ? "1 thread" : std::to_string(threads) + " threads";
}

/// The first device in sysfs; empty: there is none, or no sysfs.
std::string first_device_of_kernel() {
    std::string first;
    DIR* const dir = opendir(kKernelDevices);
    if (!dir) return first;
    while (const dirent* e = readdir(dir)) {
        const std::string_view name = e->d_name;
        const bool connector = name.find('-') != name.npos;
        if ((name.starts_with("card") && !connector) || name.starts_with("renderD"))
            if (first.empty() || name < first) first = name;
    }
    closedir(dir);
    return first.empty() ? first : std::string(kKernelDevices) + "/" + first;
}

Finding describe_card(const Node& node, const std::string& begin) {
    const std::string render = api::nodes_of(node.fd).render;
    if (!render.empty() && access(render.c_str(), F_OK) == 0)
        return {Level::Works, node.path, begin + "the card of " + render, {}, {}};
    return {Level::Works, node.path, begin + "a display without a GPU; `soft` draws for it", {}, {}};
}

Finding describe_node(const Egl& egl, const std::vector<EglDevice>& devices, const Node& node) {
    struct stat st {};
    if (node.fd < 0) {
        if (stat(node.path.c_str(), &st) == 0 && !S_ISCHR(st.st_mode))
            return {Level::Wrong, node.path, "is a file, and no device's node", {}, "remove it"};
        return refusal(node.path, node.errno_value);
    }
    std::string why;
    const std::unique_ptr<winsys::Drm> drm = winsys::open_drm_fd(node.fd, &why);
    const std::string driver = drm ? api::kernel_driver(*drm) : "";
    if (driver.empty()) return {Level::Wrong, node.path, "is no node of a DRM device", {}, "remove it"};
    const std::string begin =
        "kernel driver " + driver + (winsys::is_shim_file(node.fd) ? ", shown by the shim: " : ": ");
    if (api::is_primary_node(node.fd)) return describe_card(node, begin);
    for (const EglDevice& d : devices)
        if (d.software && d.render_node == node.path)
            return {Level::Works, node.path, begin + "it has no GPU, and `soft` draws for it", {}, {}};
    const Tried t = try_device(egl, node.path);
    if (t.works) return {Level::Works, node.path, begin + t.renderer + ", " + t.version, {}, {}};
    return {Level::Unused, node.path, begin + t.why + ". `soft` draws in its place", {}, {}};
}

/// `why`: why /dev/dri cannot be read; empty: it can.
void explain_no_nodes(const Findings& out, const Egl& egl, const std::string& why) {
    const std::string begin = why.empty() ? "has no nodes" : why;
    const std::string device = first_device_of_kernel();
    if (!device.empty())
        out.wrong("/dev/dri", begin + ", but the kernel has a DRM device, " + device,
                  "let the container have it (podman, docker: --device /dev/dri)");
    else
        out.unused("/dev/dri",
                   begin + (access("/sys/class", F_OK) == 0 ? ": the kernel has no DRM device" : ""),
                   shim_advice(egl));
}

/// The errno of opening a path. 0: it can be opened, or it is not a path.
int open_error(const std::string& path) {
    const int fd = path.starts_with("/") ? open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK) : -1;
    const int error = fd < 0 && path.starts_with("/") ? errno : 0;
    if (fd >= 0) close(fd);
    return error;
}

}  // namespace

void probe_soft(const Findings& out) {
    Egl egl;
    std::string why;
    if (!load_quietly(&egl, &why)) return out.wrong(kCpu, why, "install Terrazzo again");
    const Tried t = try_device(egl, kCpu);
    if (!t.works) return out.wrong(kCpu, t.why, "");
    out.works(kCpu, t.renderer + ", " + t.version + ", " + threads_text(t.threads) + cpu_features());
    const Fact compiler = compiler_fact(kCpu, t.renderer, egl.places.modules);
    if (compiler.value == "interpreter")
        out.unused("shader compiler", "LLVM is not there (" + compiler.why +
                                          "): asmjit's code, or the interpreter's, is slower");
}

void probe_nodes(const Findings& out) {
    Egl egl;
    std::string why;
    const bool loaded = load_quietly(&egl, &why);
    std::vector<Node> nodes;
    if (!open_nodes(&nodes, &why) || nodes.empty()) return explain_no_nodes(out, egl, why);
    if (!loaded) return out.wrong("/dev/dri", why, "");
    const std::vector<EglDevice> devices = list_egl_devices(egl);
    for (const Node& n : nodes)
        out.add(describe_node(egl, devices, n));
}

void probe_chosen_device(const Findings& out) {
    Egl egl;
    std::string why;
    if (!load_quietly(&egl, &why)) return;
    std::string names;
    for (const EglDevice& d : list_egl_devices(egl))
        if (d.name.starts_with("sim:")) names += " " + d.name;
    const char* const asked = winsys::environment(winsys::Variable::Device);
    const std::string name = asked ? asked : "", subject = "TERRAZZO_DEVICE=" + name;
    if (!name.empty() && name != kCpu) {
        const Tried t = try_device(egl, name);
        if (t.works)
            out.works(subject, t.renderer + ", " + t.version);
        else if (const int error = open_error(name))
            out.add(refusal(name, error));
        else
            out.wrong(subject, t.why, "TERRAZZO_DEVICE=soft, or another of the names");
    }
    if (!names.empty())
        out.works("virtual GPUs", "TERRAZZO_DEVICE chooses one of" + names +
                                      "; with noop: in place of sim: it completes work without doing it");
}

void probe_shared_memory(const Findings& out) {
    const std::unique_ptr<winsys::SharedMemory> memory = winsys::SharedMemory::create(4096);
    if (!memory) return out.wrong("shared memory", "neither a dma-buf nor a memfd can be created", "");
    if (memory->is_dmabuf())
        return out.works(kUdmabuf,
                         "`soft` shares its images as dma-bufs, which every compositor and GPU accepts");
    const std::string follows =
        ". `soft` shares its images as sealed memfds: programs that only take dma-bufs get copies";
    const int fd = open(kUdmabuf, O_RDWR | O_CLOEXEC);
    const int error = errno;
    if (fd >= 0) {
        close(fd);
        return out.wrong(kUdmabuf, "opens, but creates no dma-buf" + follows, "");
    }
    if (error == ENOENT)
        return out.unused(kUdmabuf, "is not there" + follows,
                          "modprobe udmabuf (a kernel with CONFIG_UDMABUF)");
    Finding f = refusal(kUdmabuf, error);
    f.what += follows;
    out.add(f);
}

}  // namespace terrazzo::command
