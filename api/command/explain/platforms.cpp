// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's platforms without a server: surfaceless, device, GBM.
#include <dlfcn.h>
#include <unistd.h>

#include <cstring>

#include "api/command/explain/displays.h"
#include "api/command/explain/probes.h"
#include "api/command/facts.h"

struct gbm_device;

namespace terrazzo::command {
namespace {

constexpr char kGbm[] = "GBM";

void explain_tried(const Findings& out, const char* subject, const Tried& t) {
    if (t.works)
        out.works(subject, t.device + " draws");
    else
        out.wrong(subject, t.why, "");
}

/// The functions of Terrazzo's libgbm.
struct Gbm {
    gbm_device* (*create_device)(int fd) = nullptr;
    void (*destroy_device)(gbm_device*) = nullptr;

    /// False: `why` is the reason.
    [[nodiscard]] bool load(const std::string& folder, std::string* why) {
        void* const library = dlopen((folder + "/libgbm.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            const char* const reason = dlerror();
            *why = reason ? reason : "libgbm.so.1 cannot be loaded";
            return false;
        }
        create_device = reinterpret_cast<decltype(create_device)>(dlsym(library, "gbm_create_device"));
        destroy_device = reinterpret_cast<decltype(destroy_device)>(dlsym(library, "gbm_device_destroy"));
        if (create_device && destroy_device) return true;
        *why = "libgbm.so.1 has not GBM's functions";
        return false;
    }
};

void explain_gbm_node(const Findings& out, const Egl& egl, const Gbm& gbm, const Node& node) {
    const std::string subject = std::string(kGbm) + " " + node.path;
    gbm_device* const device = gbm.create_device(node.fd);
    if (!device) return out.unused(subject, std::string("gbm_create_device: ") + std::strerror(errno));
    const Tried t = try_display(egl, egl.GetPlatformDisplay(EGL_PLATFORM_GBM_KHR, device, nullptr));
    explain_tried(out, subject.c_str(), t);
    gbm.destroy_device(device);
}

}  // namespace

void probe_program(const Findings& out) {
    Facts facts;
    std::string why;
    Egl egl;  // without the variables that make it write files
    if (!load_quietly(&egl, &why) || !collect_facts(&facts, &why))
        return out.wrong("program", "gets no context: " + why, "see what is wrong below");
    const auto text = [&](const char* key) {
        const Fact* const f = facts.find(key);
        return f ? f->value : "";
    };
    const auto reason = [&](const char* key) {
        const Fact* const f = facts.find(key);
        return f && !f->why.empty() ? " (" + f->why + ")" : "";
    };
    if (const std::string device = text("device"); !facts.undrawn.empty())
        return out.wrong("program", "gets a context on " + device + " that does not draw: " + facts.undrawn,
                         device.starts_with("noop:")
                             ? "unset TERRAZZO_DEVICE: noop: completes work without doing it"
                             : "TERRAZZO_DEVICE=soft");
    const std::string version = text("gl_version");
    out.works("program", "gets " + version.substr(0, version.find(" Terrazzo")) + ": " + text("renderer"));
    out.works("device", text("device") + reason("device"));
    out.works("platform", text("platform") + reason("platform"));
}

void probe_surfaceless(const Findings& out) {
    Egl egl;
    std::string why;
    if (!load_quietly(&egl, &why)) return out.wrong("surfaceless", why, "");
    explain_tried(out, "surfaceless",
                  try_display(egl, egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
                                                          nullptr)));
}

void probe_device_platform(const Findings& out) {
    Egl egl;
    std::string why;
    if (!load_quietly(&egl, &why)) return out.wrong("device", why, "");
    const std::vector<EglDevice> devices = list_egl_devices(egl);
    if (devices.empty()) return out.wrong("device", "eglQueryDevicesEXT lists none", "");
    explain_tried(out, "device", try_display(egl, display_of(egl, devices[0])));
}

void probe_gbm_platform(const Findings& out) {
    Egl egl;
    Gbm gbm;
    std::string why;
    if (!load_quietly(&egl, &why)) return out.wrong(kGbm, why, "");
    const std::string extensions = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (extensions.find("EGL_KHR_platform_gbm") == extensions.npos)
        return out.unused(kGbm, "Terrazzo was built without it");
    if (!gbm.load(egl.places.drop_in, &why)) return out.wrong(kGbm, why, "install Terrazzo again");
    std::vector<Node> nodes;
    bool any = false;
    if (open_nodes(&nodes, &why))
        for (const Node& n : nodes)
            if (n.fd >= 0) explain_gbm_node(out, egl, gbm, n), any = true;
    if (!any)
        out.unused(kGbm, "there is no node in /dev/dri that can be opened, which gbm_create_device needs",
                   shim_advice(egl));
}

}  // namespace terrazzo::command
