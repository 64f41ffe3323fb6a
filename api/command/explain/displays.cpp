// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/explain/displays.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "api/command/explain/probes.h"
#include "api/command/quiet.h"
#include "api/command/try_context.h"
#include "api/egl/private_names.h"

namespace terrazzo::command {
namespace {

constexpr char kNodes[] = "/dev/dri", kCard[] = "card", kRender[] = "renderD";

std::string device_text(const Egl& egl, EGLDeviceEXT device, EGLint name) {
    const auto query = find_function<PFNEGLQUERYDEVICESTRINGEXTPROC>(egl, "eglQueryDeviceStringEXT");
    const char* const text = query ? query(device, name) : nullptr;
    return text ? text : "";
}

bool has_word(const std::string& words, const char* word) {
    return (" " + words + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

/// The number at the end of a node's name; -1: it is not a node's name.
long number_of(const char* name) {
    const size_t prefix = !std::strncmp(name, kCard, sizeof kCard - 1)       ? sizeof kCard - 1
                          : !std::strncmp(name, kRender, sizeof kRender - 1) ? sizeof kRender - 1
                                                                             : 0;
    char* end = nullptr;
    const long number = prefix ? std::strtol(name + prefix, &end, 10) : -1;
    return end && end != name + prefix && !*end ? number : -1;
}

/// Null: there is none.
EGLConfig window_config(const Egl& egl, EGLDisplay display, EGLint visual) {
    EGLint count = 0;
    egl.GetConfigs(display, nullptr, 0, &count);
    std::vector<EGLConfig> configs(size_t(count), nullptr);
    egl.GetConfigs(display, configs.data(), count, &count);
    for (EGLConfig c : configs) {
        EGLint types = 0, id = 0, samples = 0;
        egl.GetConfigAttrib(display, c, EGL_SURFACE_TYPE, &types);
        egl.GetConfigAttrib(display, c, EGL_NATIVE_VISUAL_ID, &id);
        egl.GetConfigAttrib(display, c, EGL_SAMPLES, &samples);
        if ((types & EGL_WINDOW_BIT) && samples == 0 && (!visual || id == visual)) return c;
    }
    return nullptr;
}

}  // namespace

bool load_quietly(Egl* egl, std::string* why) {
    static const QuietEnvironment quiet;  // each probe is a separate process
    return egl->load(why);
}

Tried try_display(const Egl& egl, EGLDisplay display, bool terminate) {
    Tried t;
    if (!display) {
        t.why = "EGL knows no such display";
        return t;
    }
    if (!egl.initialize(display, &t.why)) return t;
    t.threads = unsigned(display_attribute(egl, display, terrazzo::egl::kThreadsTerrazzo));
    if (const EGLAttrib device = display_attribute(egl, display, EGL_DEVICE_EXT))
        t.device = device_text(egl, reinterpret_cast<EGLDeviceEXT>(device), EGL_RENDERER_EXT);
    {
        TryContext context(egl, display);
        t.works = context.create(&t.why) && context.draws(&t.why);
        t.renderer = context.text(GL_RENDERER);
        const std::string version = context.text(GL_VERSION);
        t.version = version.substr(0, version.find(" Terrazzo"));
    }
    if (terminate) egl.Terminate(display);
    return t;
}

Window try_window(const Egl& egl, EGLDisplay display, EGLNativeWindowType native, EGLint visual) {
    const auto create = find_function<decltype(&eglCreateWindowSurface)>(egl, "eglCreateWindowSurface");
    const auto destroy = find_function<decltype(&eglDestroySurface)>(egl, "eglDestroySurface");
    const auto swap = find_function<decltype(&eglSwapBuffers)>(egl, "eglSwapBuffers");
    const auto interval = find_function<decltype(&eglSwapInterval)>(egl, "eglSwapInterval");
    const auto query = find_function<decltype(&eglQuerySurface)>(egl, "eglQuerySurface");
    Window w{false, "EGL has not its functions", false, {}};
    if (!create || !destroy || !swap || !interval || !query) return w;
    w.why = "there is no config for a window";
    const EGLConfig config = window_config(egl, display, visual);
    if (!config) return w;
    w.why = "eglCreateWindowSurface failed";
    egl.report_to(&w.why);
    if (const EGLSurface surface = create(display, config, native, nullptr)) {
        TryContext context(egl, display);
        EGLint shared = 0;
        // An invisible window gets no notification when to draw its next frame.
        w.works = context.create_for(config, surface, &w.why) && interval(display, 0) &&
                  swap(display, surface) && query(display, surface, terrazzo::egl::kSharedTerrazzo, &shared);
        w.shared = shared;
        const char* const how = egl.QueryString(display, terrazzo::egl::kWindowTextTerrazzo);
        w.how = how ? how : "";
        destroy(display, surface);
    }
    egl.report_to(nullptr);
    return w;
}

std::vector<EglDevice> list_egl_devices(const Egl& egl) {
    const auto query = find_function<PFNEGLQUERYDEVICESEXTPROC>(egl, "eglQueryDevicesEXT");
    EGLint count = 0;
    if (!query || !query(0, nullptr, &count)) return {};
    std::vector<EGLDeviceEXT> handles(size_t(count), nullptr);
    query(count, handles.data(), &count);
    std::vector<EglDevice> list;
    for (EGLDeviceEXT d : handles) {
        EglDevice e{d, device_text(egl, d, EGL_RENDERER_EXT), {}, {}, false};
        const std::string extensions = device_text(egl, d, EGL_EXTENSIONS);
        if (has_word(extensions, "EGL_EXT_device_drm_render_node"))
            e.render_node = device_text(egl, d, EGL_DRM_RENDER_NODE_FILE_EXT);
        if (has_word(extensions, "EGL_EXT_device_drm"))
            e.primary_node = device_text(egl, d, EGL_DRM_DEVICE_FILE_EXT);
        e.software = has_word(extensions, "EGL_MESA_device_software");
        list.push_back(std::move(e));
    }
    return list;
}

EGLDisplay display_of(const Egl& egl, const EglDevice& device) {
    return egl.GetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device.handle, nullptr);
}

bool open_nodes(std::vector<Node>* nodes, std::string* why) {
    DIR* const dir = opendir(kNodes);
    if (!dir) {
        *why = std::strerror(errno);
        return false;
    }
    std::vector<std::pair<std::pair<bool, long>, std::string>> found;
    while (const dirent* e = readdir(dir))
        if (const long n = number_of(e->d_name); n >= 0)
            found.push_back({{e->d_name[0] == kRender[0], n}, std::string(kNodes) + "/" + e->d_name});
    closedir(dir);
    std::sort(found.begin(), found.end());
    for (const auto& [order, path] : found) {
        Node n{path, open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK), 0};
        if (n.fd < 0) n.errno_value = errno;
        nodes->push_back(std::move(n));
    }
    return true;
}

std::string shim_advice(const Egl& egl) {
    for (const char* from_folder : {"/libterrazzo-shim.so", "/../winsys/shim/libterrazzo-shim.so"}) {
        const std::string file = egl.places.modules + from_folder;
        if (access(file.c_str(), R_OK) != 0) continue;
        char* const real = realpath(file.c_str(), nullptr);
        const std::string path = real ? real : file;
        std::free(real);
        return "a program that insists on a node: LD_PRELOAD=" + path + " shows it one";
    }
    return {};
}

}  // namespace terrazzo::command
