// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's objects. Handles are the objects' addresses. A handle is valid while its display's set contains it,
// so any bit pattern may be passed. A current object outlives its handle (EGL 1.5, 3.7.3 and 3.5.x). Locks:
// the display table has a mutex, and each display has one; neither is held while rendering finishes.
#pragma once

#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "api/egl/back_buffers.h"
#include "api/egl/blob_cache.h"
#include "api/es1/context.h"
#include "pipe/screen.h"
#include "state_tracker/context.h"
#include "winsys/platform.h"
#include "winsys/wayland/drm.h"

namespace terrazzo::egl {

class Display;
struct Device;

/// A row of the config table. Other attributes have the same value in all configs (config.cpp).
struct Config {
    EGLint id = 0;
    EGLint red = 8, green = 8, blue = 8, alpha = 8, depth = 0, stencil = 0;
    bool is_float = false;
    EGLint surface_type = 0, renderable_type = EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT, native_visual_id = 0;
    pipe::Format color_format = pipe::Format::None, depth_stencil_format = pipe::Format::None;
    uint32_t fourcc = 0;
    uint32_t samples = 1;
    EGLint max_pbuffer = 0;  // px, width and height
};
/// The largest width and height of a pbuffer.
[[nodiscard]] inline EGLint max_pbuffer_px(const pipe::Screen& screen) {
    return EGLint(screen.caps().max_renderbuffer_size_px);
}
/// The configs that a screen and platform support, in eglGetConfigs' order.
[[nodiscard]] std::vector<Config> make_configs(const pipe::Screen& screen, const winsys::Platform& platform);
/// False: configs have no such attribute.
[[nodiscard]] bool config_attribute(const Config& c, EGLint attribute, EGLint* value);
/// eglChooseConfig's selection and sorting. False: a bad attribute or value, which `why` names. If no config
/// is left, `why` names the attribute.
[[nodiscard]] bool choose_configs(const std::vector<Config>& configs, const EGLint* attributes,
                                  std::vector<const Config*>* out, std::string* why);

enum class SurfaceKind : uint8_t { Window, Pbuffer };

class Surface final : public st::Drawable {
  public:
    Surface(std::shared_ptr<pipe::Screen> screen, SurfaceKind kind, const Config& config);
    ~Surface() override;
    [[nodiscard]] bool acquire(Buffers* out) override;
    /// Shows the frame in the window. `context` must be current and flushed; `drawn` is the flush's fence.
    /// Returns EGL_SUCCESS or an EGL error. With `file`, the frame is also written there.
    EGLint present(st::Context& context, pipe::Ref<pipe::Fence> drawn, std::span<const winsys::Rect> damage,
                   const char* file = nullptr);
    /// EGL_EXT_buffer_age of the buffer for the next frame.
    [[nodiscard]] uint32_t age();
    /// EGL_KHR_partial_update: restricts the frame's drawing to the bounding box of the rectangles. Returns
    /// EGL_SUCCESS, or an error with the reason.
    EGLint set_damage(std::span<const winsys::Rect> rects, const char** why);
    void current_size(uint32_t* width, uint32_t* height);
    /// Whether the window shows frames without a copy. Known after the first frame.
    [[nodiscard]] bool is_shared() const { return back_ != nullptr; }

    const std::shared_ptr<pipe::Screen> screen;
    const SurfaceKind kind;
    const Config config;
    std::shared_ptr<winsys::Platform> platform;  // keeps the connection while the window exists
    std::unique_ptr<winsys::Window> window;
    uint32_t width_px = 0, height_px = 0;  // Pbuffer: its size
    EGLint requested_width = 0, requested_height = 0;
    bool largest = false, mipmap = false;
    EGLint texture_format = EGL_NO_TEXTURE, texture_target = EGL_NO_TEXTURE, mipmap_level = 0;
    pipe::Format buffer_format =
        pipe::Format::None;  // color_format or its sRGB variant; set before the first acquire
    EGLint colorspace = EGL_GL_COLORSPACE_LINEAR;
    EGLint swap_behavior = EGL_BUFFER_DESTROYED, multisample_resolve = EGL_MULTISAMPLE_RESOLVE_DEFAULT;
    EGLint swap_interval = 1;
    bool presented = false;                            // the back buffer contains the last frame
    bool age_is_known = false, damage_is_set = false;  // reset with each frame
    bool lost = false;
    std::atomic<int> current_count{0};  // number of contexts in which it is current
    EGLLabelKHR label = nullptr;

  private:
    [[nodiscard]] bool acquire_back(uint32_t width, uint32_t height, pipe::Ref<pipe::Resource>* out);
    [[nodiscard]] bool create_images(uint32_t width, uint32_t height, bool with_color, Buffers* out) const;
    [[nodiscard]] static bool copy(pipe::Context& context, pipe::Resource& from, pipe::Resource& to);
    [[nodiscard]] pipe::Ref<pipe::Resource> shown(pipe::Context& context, const Buffers& b);
    template <class F>
    [[nodiscard]] bool map_frame(pipe::Context& context, pipe::Resource& image,
                                 std::span<const winsys::Rect> damage, F&& show);
    void tell_how_shown();
    EGLint result(winsys::PresentStatus status);
    EGLint present_copy(pipe::Context& context, const Buffers& b, std::span<const winsys::Rect> damage,
                        const char* file);
    EGLint present_shared(pipe::Context& context, const Buffers& b, pipe::Ref<pipe::Fence> drawn,
                          std::span<const winsys::Rect> damage, const char* file);

    pipe::Ref<pipe::Resource> resolved_;  // for multisampled colour buffers
    Buffers buffers_;
    std::unique_ptr<BackBuffers> back_;  // null: frames are copied, or there was none yet
    bool frames_are_copied_ = false, draws_back_ = false;
    std::string how_shown_;
    // For TERRAZZO_DEBUG=perf: the window's frames, those copied to it, and copies between images (resolves,
    // preserved frames).
    uint64_t frames_shown_ = 0, frames_copied_ = 0, images_copied_ = 0;
};

class Context : public pipe::RefCounted {
  public:
    std::shared_ptr<pipe::Screen> screen;  // declared before `gl`: outlives it
    std::unique_ptr<st::Context> gl;
    std::unique_ptr<es1::Context> es1;  // uses `gl`; null: a context of OpenGL ES 2.0 or later
    Display* display = nullptr;
    const Config* config = nullptr;  // null: EGL_NO_CONFIG_KHR
    EGLint major_version = 2;        // as requested; `gl` may have a later version
    EGLint priority = EGL_CONTEXT_PRIORITY_MEDIUM_IMG;
    bool robust = false, no_error = false, lose_on_reset = false;
    std::atomic<bool> is_current{false};
    std::atomic<bool> destroyed{false};  // the handle is gone; the context lives while it is current
    bool had_surface = false;            // was current with a surface; used by the thread that has it current
    EGLLabelKHR label = nullptr;
};

class EglImage : public pipe::RefCounted {
  public:
    pipe::Ref<st::Image> image;
    EGLLabelKHR label = nullptr;
};

class Sync : public pipe::RefCounted {
  public:
    EGLenum type = EGL_SYNC_FENCE;
    pipe::Ref<pipe::Fence> fence;  // EGL_SYNC_FENCE, EGL_SYNC_NATIVE_FENCE_ANDROID
    EGLenum condition = EGL_SYNC_PRIOR_COMMANDS_COMPLETE;
    std::mutex mutex;  // EGL_SYNC_REUSABLE_KHR
    std::condition_variable changed;
    bool signaled = false, destroyed = false;
    EGLLabelKHR label = nullptr;
};

/// A table of handles of one kind. Owns a reference to each object.
template <class T>
class Handles {
  public:
    void* add(pipe::Ref<T> object) {
        T* p = object.get();
        set_.insert(p);
        object.leak()->add_ref();
        p->release();
        return p;
    }
    [[nodiscard]] T* find(void* handle) const {
        auto it = set_.find(static_cast<T*>(handle));
        return it == set_.end() ? nullptr : *it;
    }
    /// Removes the handle. The caller gets the reference.
    pipe::Ref<T> remove(T* object) {
        set_.erase(object);
        return pipe::Ref<T>::adopt(object);
    }
    void clear() {
        for (T* p : std::exchange(set_, {}))
            p->release();
    }
    template <class F>
    void for_each(F&& f) {
        for (T* p : set_)
            f(*p);
    }

  private:
    std::unordered_set<T*> set_;
};

class Display {
  public:
    Display(EGLenum p, void* n) : platform_name(p), native(n) {}
    const EGLenum platform_name;
    void* const native;
    std::recursive_mutex mutex;
    bool initialized = false;
    int reference_count = 0;  // EGL_KHR_display_reference
    bool track_references = false;
    std::shared_ptr<winsys::Platform> platform;
    std::shared_ptr<pipe::Screen> screen;
    /// That of a gbm_device, or the GPU of the windows; null: that of TERRAZZO_DEVICE or the native display.
    const Device* device = nullptr;
    std::vector<Config> configs;
    std::string extensions;
    std::string window_text;  // the last answer for kWindowTextTerrazzo
    Handles<Surface> surfaces;
    Handles<Context> contexts;
    Handles<EglImage> images;
    Handles<Sync> syncs;
    std::unique_ptr<winsys::WaylandDrm> wayland;  // EGL_WL_bind_wayland_display; null: not bound
    std::shared_ptr<BlobCache> blob_cache;        // null: the program has set none
    std::atomic<unsigned> frame_files{0};         // TERRAZZO_DEBUG=frames: number of files
    EGLLabelKHR label = nullptr;

    /// EGL_SUCCESS, or the error and its reason.
    EGLint initialize(std::string* why);
    /// Marks all objects for deletion. Current objects live until they are released.
    void terminate();
    [[nodiscard]] const Config* find_config(EGLConfig handle) const;
};

/// The display of the platform and native display, created on demand. Throws only bad_alloc.
[[nodiscard]] Display* get_display(EGLenum platform, void* native, bool track_references);
/// Null: the handle is invalid.
[[nodiscard]] Display* find_display(EGLDisplay handle);
/// The platform of eglGetDisplay: that of EGL_PLATFORM, of the type of `native`, Wayland if there is a
/// server, otherwise surfaceless.
[[nodiscard]] EGLenum default_platform(void* native);

/// A device of EGL_EXT_device_enumeration (api/devices). Immutable.
struct Device {
    const char* name;  // TERRAZZO_DEVICE's word
    std::string extensions;
    const char *render_node, *primary_node;  // null: there is none
};
[[nodiscard]] const std::vector<Device>& devices();
[[nodiscard]] const Device* find_device(const void* handle);
/// The device on which the display draws; null: that of TERRAZZO_DEVICE is not listed, since the variable
/// changed after the list was created.
[[nodiscard]] const Device* device_of(const Display& display);
/// Whether a compositor may offer wl_drm: its clients need a node to open, and the device must import their
/// buffers.
[[nodiscard]] bool binds_wayland(const Display& display);
/// The screen of a display: of EGL_PLATFORM_DEVICE_EXT's device, or of TERRAZZO_DEVICE. Without either, the
/// GPU that shows the platform's windows draws, if there is a driver for it; `*window_gpu` is set then. Null:
/// `why` is the reason.
[[nodiscard]] std::shared_ptr<pipe::Screen> open_screen(const Display& display,
                                                        const winsys::Platform& platform,
                                                        const Device** window_gpu, std::string* why);

}  // namespace terrazzo::egl
