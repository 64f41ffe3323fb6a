// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo info`: opens EGL_DEFAULT_DISPLAY as a program would, and says what came of it and why.
#include <GLES2/gl2.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string_view>

#include "api/command/commands.h"
#include "api/command/egl_loader.h"
#include "api/command/json_text.h"
#include "api/egl/private_names.h"
#include "shaders/cache/cache.h"
#include "winsys/environment/environment.h"
#include "winsys/platform.h"

namespace terrazzo::command {
namespace {

/// One line of the report. An empty reason: none is needed.
struct Fact {
    const char* key;    // in JSON
    const char* label;  // for people
    std::string value, why;
};

struct Report {
    std::vector<Fact> facts;
    std::vector<std::string> devices;  // TERRAZZO_DEVICE's words
    std::vector<std::string> client_extensions, display_extensions, gl_extensions, configs;
};

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

/// Why eglGetDisplay(EGL_DEFAULT_DISPLAY) took its platform, from the same facts that it looked at.
std::string platform_reason(bool wayland) {
    if (const std::string asked = text_of(Variable::EglPlatform); asked == "wayland" || asked == "x11" ||
                                                                  asked == "gbm" || asked == "drm" ||
                                                                  asked == "surfaceless" || asked == "device")
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

/// What a current context says. False: `why` says what failed.
bool ask_gl(const Egl& egl, EGLDisplay display, Report* r, std::string* why) {
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    const EGLContext context = egl.CreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (!context || !egl.MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        *why = "an OpenGL ES 2 context cannot be made current";
        return false;
    }
    auto get_string =
        reinterpret_cast<const GLubyte*(GL_APIENTRYP)(GLenum)>(egl.GetProcAddress("glGetString"));
    auto text = [&](GLenum name) {
        const GLubyte* s = get_string ? get_string(name) : nullptr;
        return std::string(s ? reinterpret_cast<const char*>(s) : "");
    };
    r->facts.push_back({"renderer", "renderer", text(GL_RENDERER), {}});
    r->facts.push_back({"gl_vendor", "vendor", text(GL_VENDOR), {}});
    r->facts.push_back({"gl_version", "OpenGL ES", text(GL_VERSION), {}});
    r->facts.push_back({"glsl_version", "GLSL ES", text(GL_SHADING_LANGUAGE_VERSION), {}});
    r->gl_extensions = words(text(GL_EXTENSIONS).c_str());
    egl.MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    egl.DestroyContext(display, context);
    return true;
}

/// eglQueryDisplayAttribEXT; 0 where it does not know.
EGLAttrib ask(const Egl& egl, EGLDisplay display, EGLint attribute) {
    auto query =
        reinterpret_cast<PFNEGLQUERYDISPLAYATTRIBEXTPROC>(egl.GetProcAddress("eglQueryDisplayAttribEXT"));
    EGLAttrib value = 0;
    return query && query(display, attribute, &value) ? value : 0;
}

/// The devices' names, which are what TERRAZZO_DEVICE takes.
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

/// The renderer's name says what the driver was built with; this is whether it is there.
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

bool collect(Report* r, std::string* why) {
    Egl egl;
    if (!egl.load(why)) return false;
    r->facts.push_back({"version", "Terrazzo", TERRAZZO_VERSION, {}});
    r->facts.push_back({"libraries", "libraries", egl.places.drop_in, {}});
    // Before EGL connects: $WAYLAND_SOCKET can be used once.
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
    r->facts.push_back({"device", "device", chosen, device_reason()});
    r->devices = list_devices(egl);
    r->facts.push_back({"platform", "platform",
                        platform_name(ask(egl, display, terrazzo::egl::kPlatformTerrazzo)), platform_why});
    r->facts.push_back({"egl_version", "EGL", egl.QueryString(display, EGL_VERSION), {}});
    r->client_extensions = words(egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS));
    r->display_extensions = words(egl.QueryString(display, EGL_EXTENSIONS));
    for (EGLConfig c : configs)
        r->configs.push_back(describe_config(egl, display, c));
    const bool ok = ask_gl(egl, display, r, why);
    const std::string threads = std::to_string(ask(egl, display, terrazzo::egl::kThreadsTerrazzo));
    r->facts.push_back({"threads", "threads", threads, threads_reason(threads)});
    std::string renderer;
    for (const Fact& f : r->facts)
        if (std::string_view(f.key) == "renderer") renderer = f.value;
    r->facts.push_back(compiler_fact(chosen, renderer, egl.places.modules));
    r->facts.push_back(shader_cache_fact());
    egl.Terminate(display);
    return ok;
}

void print_list(const char* title, const std::vector<std::string>& list) {
    std::printf("\n%s (%zu)\n", title, list.size());
    for (const std::string& s : list)
        std::printf("  %s\n", s.c_str());
}

void print_text(const Report& r, bool verbose) {
    for (const Fact& f : r.facts) {
        std::printf("%-13s %s", f.label, f.value.c_str());
        std::printf(f.why.empty() ? "\n" : "   (%s)\n", f.why.c_str());
    }
    if (!verbose) return;
    print_list("Devices (TERRAZZO_DEVICE, run --device)", r.devices);
    print_list("EGL client extensions", r.client_extensions);
    print_list("EGL display extensions", r.display_extensions);
    print_list("OpenGL ES extensions", r.gl_extensions);
    print_list("EGL configs", r.configs);
}

void print_json_list(const char* key, const std::vector<std::string>& list) {
    std::printf(",\n  \"%s\": [", key);
    for (size_t i = 0; i < list.size(); ++i)
        std::printf("%s\n    %s", i ? "," : "", json_quoted(list[i]).c_str());
    std::printf("%s]", list.empty() ? "" : "\n  ");
}

void print_json(const Report& r, bool verbose) {
    std::printf("{");
    for (size_t i = 0; i < r.facts.size(); ++i) {
        const Fact& f = r.facts[i];
        std::printf("%s\n  \"%s\": %s", i ? "," : "", f.key, json_quoted(f.value).c_str());
        if (!f.why.empty()) std::printf(",\n  \"%s_reason\": %s", f.key, json_quoted(f.why).c_str());
    }
    if (verbose) {
        print_json_list("devices", r.devices);
        print_json_list("egl_client_extensions", r.client_extensions);
        print_json_list("egl_display_extensions", r.display_extensions);
        print_json_list("gl_extensions", r.gl_extensions);
        print_json_list("egl_configs", r.configs);
    }
    std::printf("\n}\n");
}

}  // namespace

int info(const InfoOptions& options) {
    Report report;
    std::string why;
    if (!collect(&report, &why)) {
        std::fprintf(stderr, "terrazzo info: %s\n", why.c_str());
        return 1;
    }
    if (options.json)
        print_json(report, options.verbose);
    else
        print_text(report, options.verbose);
    return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace terrazzo::command
