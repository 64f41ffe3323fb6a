// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/facts.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "api/command/try_context.h"
#include "api/egl/private_names.h"
#include "shaders/cache/cache.h"
#include "winsys/environment/environment.h"
#include "winsys/platform.h"

namespace terrazzo::command {
namespace {

std::vector<std::string> words(const char* text) {
    std::vector<std::string> out;
    std::istringstream in(text ? text : "");
    for (std::string w; in >> w;)
        out.push_back(w);
    std::sort(out.begin(), out.end());
    return out;
}

using winsys::Variable;

std::string text_of(Variable variable) {
    const char* const value = winsys::environment(variable);
    return value ? value : "";
}

/// Why eglGetDisplay(EGL_DEFAULT_DISPLAY) chose its platform, by the facts that it uses.
std::string platform_reason(bool wayland) {
    if (const std::string asked = text_of(Variable::EglPlatform); !asked.empty())
        return "EGL_PLATFORM=" + asked;
#if TERRAZZO_WAYLAND
    if (!text_of(Variable::WaylandSocket).empty())
        return wayland ? "WAYLAND_SOCKET=" + text_of(Variable::WaylandSocket)
                       : "WAYLAND_SOCKET is no open socket";
    const std::string name = text_of(Variable::WaylandDisplay);
    const std::string server =
        name.empty() ? "wayland-0 (WAYLAND_DISPLAY is not set)" : "WAYLAND_DISPLAY=" + name;
    return (wayland ? "a Wayland server answers at " : "no Wayland server answers at ") + server;
#else
    (void)wayland;
    return "Terrazzo was built without Wayland";
#endif
}

std::string device_reason() {
    const std::string asked = text_of(Variable::Device);
    return asked.empty() ? "the default; TERRAZZO_DEVICE is not set" : "TERRAZZO_DEVICE=" + asked;
}

std::string describe_config(const Egl& egl, EGLDisplay display, EGLConfig config) {
    auto get = [&](EGLint attribute) {
        EGLint v = 0;
        egl.GetConfigAttrib(display, config, attribute, &v);
        return v;
    };
    char text[160];
    const EGLint types = get(EGL_SURFACE_TYPE);
    std::snprintf(text, sizeof text, "%2d: RGBA %d %d %d %d, depth %2d, stencil %d, samples %d,%s%s",
                  get(EGL_CONFIG_ID), get(EGL_RED_SIZE), get(EGL_GREEN_SIZE), get(EGL_BLUE_SIZE),
                  get(EGL_ALPHA_SIZE), get(EGL_DEPTH_SIZE), get(EGL_STENCIL_SIZE), get(EGL_SAMPLES),
                  types & EGL_WINDOW_BIT ? " window" : "", types & EGL_PBUFFER_BIT ? " pbuffer" : "");
    return text;
}

/// Reads the facts of a current context. False: `why` says what failed.
bool ask_gl(const Egl& egl, EGLDisplay display, Facts* r, std::string* why) {
    TryContext context(egl, display);
    if (!context.create(why)) return false;
    if (context.draws(&r->undrawn)) r->undrawn.clear();
    r->list.push_back({"renderer", "renderer", context.text(GL_RENDERER), {}});
    r->list.push_back({"gl_vendor", "vendor", context.text(GL_VENDOR), {}});
    r->list.push_back({"gl_version", "OpenGL ES", context.text(GL_VERSION), {}});
    r->list.push_back({"glsl_version", "GLSL ES", context.text(GL_SHADING_LANGUAGE_VERSION), {}});
    r->gl_extensions = words(context.text(GL_EXTENSIONS).c_str());
    return true;
}

/// The devices' names, as in TERRAZZO_DEVICE.
std::vector<std::string> list_devices(const Egl& egl) {
    auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl.GetProcAddress("eglQueryDevicesEXT"));
    auto text =
        reinterpret_cast<PFNEGLQUERYDEVICESTRINGEXTPROC>(egl.GetProcAddress("eglQueryDeviceStringEXT"));
    EGLint count = 0;
    if (!query || !text || !query(0, nullptr, &count)) return {};
    std::vector<EGLDeviceEXT> handles(size_t(count), nullptr);
    query(count, handles.data(), &count);
    std::vector<std::string> names;
    for (EGLDeviceEXT d : handles)
        if (const char* name = text(d, EGL_RENDERER_EXT)) names.push_back(name);
    return names;
}

/// EGL lists none of them, since programs that use the first GPU need images.
std::vector<std::string> noop_devices(const std::vector<std::string>& names) {
    constexpr std::string_view kSim = "sim:", kNoop = "noop:";
    std::vector<std::string> out;
    for (const std::string& name : names)
        if (name.starts_with(kSim)) {
            const std::string noop = std::string(kNoop) + name.substr(kSim.size());
            if (std::find(names.begin(), names.end(), noop) == names.end()) out.push_back(noop);
        }
    return out;
}

std::string threads_reason(const std::string& threads) {
    if (threads == "0") return "a device draws";
    const std::string asked = text_of(Variable::Threads);
    return asked == threads ? "TERRAZZO_THREADS=" + asked
                            : "what the affinity mask and the cgroup's quota allow";
}

Fact shader_cache_fact() {
    const shaders::CacheOptions o = shaders::cache_options_from_environment();
    const std::string asked = text_of(Variable::ShaderCache);
    const std::string folder = !o.folder.empty() ? o.folder : o.memory_limit_B != 0 ? "memory only" : "off";
    if (!asked.empty()) return {"shader_cache", "shader cache", folder, "TERRAZZO_SHADER_CACHE=" + asked};
    return {"shader_cache", "shader cache", folder,
            o.folder.empty() ? "neither HOME nor XDG_CACHE_HOME is set"
                             : "the default; TERRAZZO_SHADER_CACHE is not set"};
}

}  // namespace

const char* platform_name(EGLAttrib platform) {
    switch (platform) {
        case EGL_PLATFORM_WAYLAND_KHR:
            return "wayland";
        case EGL_PLATFORM_X11_EXT:
            return "x11";
        case EGL_PLATFORM_GBM_KHR:
            return "gbm";
        case EGL_PLATFORM_SURFACELESS_MESA:
            return "surfaceless";
        default:
            return "unknown";
    }
}

Fact compiler_fact(const std::string& device, const std::string& renderer, const std::string& modules) {
    if (device != "soft") return {"compiler", "shader compiler", "the driver's own", {}};
    if (renderer.find("LLVM") == renderer.npos)
        return {"compiler", "shader compiler", "interpreter", "built without LLVM"};
    const std::string file = modules + "/libterrazzo-llvm.so";
    void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        const char* const reason = dlerror();
        return {"compiler", "shader compiler", "interpreter", reason ? reason : file + " cannot be loaded"};
    }
    dlclose(library);
    return {"compiler", "shader compiler", file, "loaded when the first shader must be compiled"};
}

const Fact* Facts::find(std::string_view key) const {
    for (const Fact& f : list)
        if (f.key == key) return &f;
    return nullptr;
}

bool collect_devices(std::vector<std::string>* names, std::vector<std::string>* noop_names,
                     std::string* why) {
    Egl egl;
    if (!egl.load(why)) return false;
    *names = list_devices(egl);
    *noop_names = noop_devices(*names);
    return true;
}

bool collect_facts(Facts* r, std::string* why) {
    Egl egl;
    if (!egl.load(why)) return false;
    r->list.push_back({"version", "Terrazzo", TERRAZZO_VERSION, {}});
    r->list.push_back({"libraries", "libraries", egl.places.drop_in, {}});
    // Tested before EGL connects, since $WAYLAND_SOCKET can only be used once.
    const bool wayland = winsys::wayland_available();
    const std::string platform_why = platform_reason(wayland);
    const EGLDisplay display = egl.GetDisplay(EGL_DEFAULT_DISPLAY);
    if (!egl.initialize(display, why)) return false;
    EGLint count = 0;
    egl.GetConfigs(display, nullptr, 0, &count);
    std::vector<EGLConfig> configs(size_t(count), nullptr);
    egl.GetConfigs(display, configs.data(), count, &count);
    const std::string device = text_of(Variable::Device);
    const std::string chosen = device.empty() ? "soft" : device;
    r->list.push_back({"device", "device", chosen, device_reason()});
    r->devices = list_devices(egl);
    r->noop_devices = noop_devices(r->devices);
    r->list.push_back({"platform", "platform",
                       platform_name(display_attribute(egl, display, terrazzo::egl::kPlatformTerrazzo)),
                       platform_why});
    r->list.push_back({"egl_version", "EGL", egl.QueryString(display, EGL_VERSION), {}});
    r->client_extensions = words(egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS));
    r->display_extensions = words(egl.QueryString(display, EGL_EXTENSIONS));
    for (EGLConfig c : configs)
        r->configs.push_back(describe_config(egl, display, c));
    const bool ok = ask_gl(egl, display, r, why);
    const std::string threads =
        std::to_string(display_attribute(egl, display, terrazzo::egl::kThreadsTerrazzo));
    r->list.push_back({"threads", "threads", threads, threads_reason(threads)});
    const Fact* const renderer = r->find("renderer");
    r->list.push_back(compiler_fact(chosen, renderer ? renderer->value : "", egl.places.modules));
    r->list.push_back(shader_cache_fact());
    egl.Terminate(display);
    return ok;
}

}  // namespace terrazzo::command
