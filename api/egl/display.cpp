// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Displays and devices: a display's platform, and the device that its initialization opens.
#include "api/egl/display.h"

#include <algorithm>

#include "api/devices/devices.h"
#include "api/egl/image_lookup.h"
#include "api/egl/thread.h"
#include "api/gbm/platform.h"
#include "pipe/debug.h"
#include "state_tracker/image_export.h"
#include "winsys/environment/environment.h"
#include "winsys/environment/values.h"

namespace terrazzo::egl {
namespace {

/// The one global object that EGL requires. Displays are never freed, so their handles stay valid while the
/// process runs.
struct Table {
    std::mutex mutex;
    std::vector<std::unique_ptr<Display>> displays;
};
/// Initialized statically and never destroyed: it outlives all static destructors of the program, and needs
/// no allocation.
union TableRoom {
    constexpr TableRoom() : table() {}
    ~TableRoom() {}
    Table table;
};
constinit TableRoom g_table;
Table& table() {
    return g_table.table;
}

void write_log(void*, pipe::Severity severity, std::string_view message) {
    if (severity == pipe::Severity::Performance && pipe::debug(pipe::DebugWord::Perf))
        pipe::debug_print(pipe::DebugWord::Perf, message);
    if (severity >= pipe::Severity::Warning)
        std::fprintf(stderr, "terrazzo: %.*s\n", int(message.size()), message.data());
}

std::string display_extensions(const pipe::Screen& screen, const winsys::Platform& platform, bool is_gbm) {
    std::string s =
        "EGL_ANDROID_blob_cache EGL_EXT_buffer_age EGL_EXT_create_context_robustness "
        "EGL_EXT_pixel_format_float "
        "EGL_IMG_context_priority "
        "EGL_KHR_context_flush_control EGL_KHR_create_context EGL_KHR_create_context_no_error "
        "EGL_KHR_fence_sync "
        "EGL_KHR_get_all_proc_addresses EGL_KHR_gl_colorspace EGL_KHR_gl_renderbuffer_image "
        "EGL_KHR_gl_texture_2D_image "
        "EGL_KHR_gl_texture_cubemap_image EGL_KHR_image EGL_KHR_image_base EGL_KHR_no_config_context "
        "EGL_KHR_reusable_sync EGL_KHR_surfaceless_context EGL_KHR_wait_sync EGL_MESA_configless_context "
        "EGL_MESA_query_driver";
    if (is_gbm) s += " EGL_KHR_image_pixmap";
    if (!screen.modifiers(pipe::Format::B8G8R8A8_UNORM).empty())
        s += " EGL_EXT_image_dma_buf_import EGL_EXT_image_dma_buf_import_modifiers "
             "EGL_MESA_image_dma_buf_export";
    if (screen.caps().native_fences) s += " EGL_ANDROID_native_fence_sync";
    if (platform.has_windows())
        s += " EGL_EXT_swap_buffers_with_damage EGL_KHR_partial_update EGL_KHR_swap_buffers_with_damage";
    return s;
}

EGLenum platform_of(winsys::PlatformName name) {
    switch (name) {
        case winsys::PlatformName::Wayland:
            return EGL_PLATFORM_WAYLAND_KHR;
        case winsys::PlatformName::X11:
            return EGL_PLATFORM_X11_EXT;
        case winsys::PlatformName::Gbm:
            return EGL_PLATFORM_GBM_KHR;
        case winsys::PlatformName::Surfaceless:
            return EGL_PLATFORM_SURFACELESS_MESA;
    }
    return EGL_PLATFORM_SURFACELESS_MESA;
}

/// The user named a server, but the program draws without a window.
void report_missing_server() {
    constexpr const char* kWhy = TERRAZZO_WAYLAND
                                     ? "no Wayland server answers, so the platform is surfaceless"
                                     : "Terrazzo was built without Wayland, so the platform is surfaceless";
    const auto socket = winsys::Variable::WaylandSocket, display = winsys::Variable::WaylandDisplay;
    winsys::report_value(winsys::environment(socket) ? socket : display, kWhy);
}

/// `d` must never be freed.
Device describe(const api::Device& d) {
    const auto path = [](const std::string& node) { return node.empty() ? nullptr : node.c_str(); };
    std::string extensions = "EGL_EXT_device_query_name";
    if (!d.primary_node.empty()) extensions += " EGL_EXT_device_drm";
    if (!d.render_node.empty()) extensions += " EGL_EXT_device_drm_render_node";
    if (d.software) extensions += " EGL_MESA_device_software";
    return {d.name.c_str(), extensions, path(d.render_node), path(d.primary_node)};
}

/// Devices of gbm_devices that are not listed: their nodes belong to other drivers, and the CPU draws for
/// them.
struct NodeDevices {
    std::mutex mutex;
    std::vector<std::unique_ptr<std::pair<api::Device, Device>>> list;
};
NodeDevices& node_devices() {
    static NodeDevices* const n = new NodeDevices;  // handles stay valid while the process runs
    return *n;
}

const Device* device_of_file(const api::FileDevice& file) {
    const auto same = [](const char* path, const std::string& node) {
        return path ? node == path : node.empty();
    };
    const auto is_it = [&](const Device& d) {
        return file.name == d.name && same(d.render_node, file.nodes.render) &&
               same(d.primary_node, file.nodes.primary);
    };
    for (const Device& d : devices())
        if (is_it(d)) return &d;
    NodeDevices& nodes = node_devices();
    std::lock_guard lock(nodes.mutex);
    for (const auto& n : nodes.list)
        if (is_it(n->second)) return &n->second;
    auto n = std::make_unique<std::pair<api::Device, Device>>();
    n->first = {file.name, file.nodes.render, file.nodes.primary, file.software};
    n->second = describe(n->first);
    nodes.list.push_back(std::move(n));
    return &nodes.list.back()->second;
}

}  // namespace

const std::vector<Device>& devices() {
    // Never destroyed: a program may call EGL while it exits.
    static const auto* const list = [] {
        auto l = std::make_unique<std::vector<Device>>();
        for (const api::Device& d : api::devices())
            l->push_back(describe(d));
        return l.release();
    }();
    return *list;
}

const Device* find_device(const void* handle) {
    for (const Device& d : devices())
        if (&d == handle) return &d;
    NodeDevices& nodes = node_devices();
    std::lock_guard lock(nodes.mutex);
    for (const auto& n : nodes.list)
        if (&n->second == handle) return &n->second;
    return nullptr;
}

const Device* device_of(const Display& display) {
    if (display.device) return display.device;
    if (display.platform_name == EGL_PLATFORM_DEVICE_EXT) return find_device(display.native);
    const std::string chosen = api::chosen_device();
    for (const Device& d : devices())
        if (chosen == d.name) return &d;
    return nullptr;
}

bool binds_wayland(const Display& display) {
    const Device* const d = device_of(display);
    return winsys::has_wayland_drm() && d && d->render_node &&
           !display.screen->modifiers(pipe::Format::B8G8R8A8_UNORM).empty();
}

std::shared_ptr<pipe::Screen> open_screen(const Display& display, const winsys::Platform& platform,
                                          const Device** window_gpu, std::string* why) {
    const pipe::Log log{write_log, nullptr};
    const bool by_device = display.platform_name == EGL_PLATFORM_DEVICE_EXT;
    const std::string name = by_device ? find_device(display.native)->name : api::chosen_device();
    const std::string gpu = by_device ? name : api::device_for_windows(platform.main_device());
    if (gpu != name)
        if (std::shared_ptr<pipe::Screen> s = api::open_device(gpu, log, why)) {
            for (const Device& d : devices())
                if (d.name == gpu) *window_gpu = &d;
            return s;
        }  // otherwise the driver cannot start on that GPU
    std::shared_ptr<pipe::Screen> s = api::open_device(name, log, why);
    if (!s && (by_device || winsys::environment(winsys::Variable::Device)))
        *why = (by_device ? "device " : "TERRAZZO_DEVICE=") + name + ": " + *why;
    return s;
}

EGLint Display::initialize(std::string* why) {
    if (initialized) {
        reference_count += track_references;
        return EGL_SUCCESS;
    }
    api::FileDevice file;  // a gbm_device's
    const bool xcb = platform_name == EGL_PLATFORM_XCB_EXT;
    std::shared_ptr<winsys::Platform> p;
    if (platform_name == EGL_PLATFORM_WAYLAND_KHR)
        p = winsys::create_wayland_platform(native);
    else if (xcb || platform_name == EGL_PLATFORM_X11_EXT)
        p = winsys::create_x11_platform(native, xcb);
    else if (platform_name == EGL_PLATFORM_GBM_KHR)
        p = gbm::create_platform(native, &file, why);
    else
        p = winsys::create_surfaceless_platform();
    if (!p) {
        if (why->empty()) *why = "Terrazzo was built without this platform";
        return EGL_NOT_INITIALIZED;
    }
    if (!p->initialize(why)) return EGL_NOT_INITIALIZED;
    const Device* window_gpu = nullptr;
    std::shared_ptr<pipe::Screen> s = file.screen ? file.screen : open_screen(*this, *p, &window_gpu, why);
    if (!s) return EGL_NOT_INITIALIZED;
    std::vector<Config> c = make_configs(*s, *p);
    std::string e = display_extensions(*s, *p, platform_name == EGL_PLATFORM_GBM_KHR);
    device = file.screen ? device_of_file(file) : window_gpu;
    platform = std::move(p);
    screen = std::move(s);
    configs = std::move(c);
    if (binds_wayland(*this)) e += " EGL_WL_bind_wayland_display";
    extensions = std::move(e);
    initialized = true;
    reference_count = 1;
    return EGL_SUCCESS;
}

void Display::terminate() {
    if (!initialized || (track_references && --reference_count > 0)) return;
    initialized = false;
    reference_count = 0;
    syncs.for_each([](Sync& s) {
        std::lock_guard lock(s.mutex);
        s.destroyed = true;
        s.changed.notify_all();
    });
    syncs.clear();
    images.clear();
    surfaces.clear();
    const pipe::Ref<Context> mine = thread_state().context;
    contexts.for_each([&](Context& c) {
        c.destroyed = true;
        if (mine.get() != &c) c.gl->abandon();
    });
    contexts.clear();
    if (blob_cache) std::exchange(blob_cache, nullptr)->close();
    wayland.reset();
    device = nullptr;
    screen.reset();
    platform.reset();
}

const Config* Display::find_config(EGLConfig handle) const {
    for (const Config& c : configs)
        if (&c == handle) return &c;
    return nullptr;
}

EGLenum default_platform(void* native) {
    const char* const name = winsys::environment(winsys::Variable::EglPlatform);
    winsys::PlatformName platform;
    if (name && winsys::parse_platform(name, &platform)) return platform_of(platform);
    if (native && winsys::is_wayland_display(native)) return EGL_PLATFORM_WAYLAND_KHR;
    if (native && gbm::is_gbm_device(native)) return EGL_PLATFORM_GBM_KHR;
    if (native)  // an Xlib Display, which cannot be recognized without using it
        return TERRAZZO_X11 && winsys::environment(winsys::Variable::X11Display)
                   ? EGL_PLATFORM_X11_EXT
                   : EGL_PLATFORM_SURFACELESS_MESA;
    if (winsys::wayland_available()) return EGL_PLATFORM_WAYLAND_KHR;
    report_missing_server();
    return EGL_PLATFORM_SURFACELESS_MESA;
}

Display* get_display(EGLenum platform, void* native, bool track_references) {
    winsys::check_environment();
    Table& t = table();
    std::lock_guard lock(t.mutex);
    for (auto& d : t.displays)
        if (d->platform_name == platform && d->native == native && d->track_references == track_references)
            return d.get();
    auto d = std::make_unique<Display>(platform, native);
    d->track_references = track_references;
    t.displays.push_back(std::move(d));
    return t.displays.back().get();
}

ImageStorage find_image_storage(void* handle) {
    Table& t = table();
    std::vector<Display*> all;  // they are never freed
    {
        std::lock_guard lock(t.mutex);
        for (auto& d : t.displays)
            all.push_back(d.get());
    }
    for (Display* d : all) {
        std::lock_guard lock(d->mutex);
        const EglImage* const image = d->images.find(handle);
        if (!image || !image->image) continue;
        const pipe::Ref<st::Image> now = snapshot(*image->image);
        return {d->screen, now->resource, now->format, now->level, now->layer};
    }
    return {};
}

Display* find_display(EGLDisplay handle) {
    Table& t = table();
    std::lock_guard lock(t.mutex);
    for (auto& d : t.displays)
        if (d.get() == handle) return d.get();
    return nullptr;
}

}  // namespace terrazzo::egl
