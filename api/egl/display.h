// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL's objects. Handles are the objects' addresses; a handle is valid while its display's set holds it, so
// any bit pattern may be passed. An object that is current outlives its handle (EGL 1.5, 3.7.3 and 3.5.x).
// Locks: the display table has one mutex, each display another; neither is held while rendering finishes.
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

/// A row of the config table; the attributes not stored are the same for all configs (config.cpp).
struct Config {
    EGLint id = 0;
    EGLint red = 8, green = 8, blue = 8, alpha = 8, depth = 0, stencil = 0;
    bool is_float = false;
    EGLint surface_type = 0, renderable_type = EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT, native_visual_id = 0;
    pipe::Format color_format = pipe::Format::None, depth_stencil_format = pipe::Format::None;
    uint32_t fourcc = 0;
    uint32_t samples = 1;
    EGLint max_pbuffer = 0;  // px, wide and high
};
/// The largest width and height of a pbuffer.
[[nodiscard]] inline EGLint max_pbuffer_px(const pipe::Screen& screen) {
    return EGLint(screen.caps().max_renderbuffer_size_px);
}
/// The configs a screen and platform can do, in eglGetConfigs' order.
[[nodiscard]] std::vector<Config> make_configs(const pipe::Screen& screen, const winsys::Platform& platform);
/// False for an attribute that is none of a config's.
[[nodiscard]] bool config_attribute(const Config& c, EGLint attribute, EGLint* value);
/// eglChooseConfig's selection and sorting; false: a bad attribute or value (`why` names it). None
/// is left: `why` names the attribute.
[[nodiscard]] bool choose_configs(const std::vector<Config>& configs, const EGLint* attributes,
                                  std::vector<const Config*>* out, std::string* why);

enum class SurfaceKind : uint8_t { Window, Pbuffer };

class Surface final : public st::Drawable {
  public:
    Surface(std::shared_ptr<pipe::Screen> screen, SurfaceKind kind, const Config& config);
    ~Surface() override;
    [[nodiscard]] bool acquire(Buffers* out) override;
    /// Shows in the window what was drawn, by way of `context`, which has it current and has flushed: `drawn` is what flush
    /// returned. EGL_SUCCESS or an EGL error. With `file`, the frame is written there, too.
    EGLint present(st::Context& context, pipe::Ref<pipe::Fence> drawn, std::span<const winsys::Rect> damage,
                   const char* file = nullptr);
    /// EGL_EXT_buffer_age, of what the next frame is drawn to.
    [[nodiscard]] uint32_t age();
    /// EGL_KHR_partial_update: the frame is drawn to within the rectangles around these alone. EGL_SUCCESS, or why not.
    EGLint set_damage(std::span<const winsys::Rect> rects, const char** why);
    void current_size(uint32_t* width, uint32_t* height);
    /// Whether the window shows what was drawn without a copy. Known from the first frame on.
    [[nodiscard]] bool is_shared() const { return back_ != nullptr; }

    const std::shared_ptr<pipe::Screen> screen;
    const SurfaceKind kind;
    const Config config;
    std::shared_ptr<winsys::Platform> platform;  // keeps the connection while the window lives
    std::unique_ptr<winsys::Window> window;
    uint32_t width_px = 0, height_px = 0;  // Pbuffer: its size
    EGLint requested_width = 0, requested_height = 0;
    bool largest = false, mipmap = false;
    EGLint texture_format = EGL_NO_TEXTURE, texture_target = EGL_NO_TEXTURE, mipmap_level = 0;
    pipe::Format buffer_format =
        pipe::Format::None;  // color_format or its sRGB twin; before the first acquire
    EGLint colorspace = EGL_GL_COLORSPACE_LINEAR;
    EGLint swap_behavior = EGL_BUFFER_DESTROYED, multisample_resolve = EGL_MULTISAMPLE_RESOLVE_DEFAULT;
    EGLint swap_interval = 1;
    bool presented = false;                            // the back buffer holds the last frame
    bool age_is_known = false, damage_is_set = false;  // in this frame
    bool lost = false;
    std::atomic<int> current_count{0};  // contexts that have it current
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

    pipe::Ref<pipe::Resource> resolved_;  // of a colour buffer of more than one sample
    Buffers buffers_;
    std::unique_ptr<BackBuffers> back_;  // null: frames are copied, or none was drawn yet
    bool frames_are_copied_ = false, draws_back_ = false;
    std::string how_shown_;
    // For TERRAZZO_DEBUG=perf: frames of a window, those that were copied to it, and copies between images (of samples, of frames kept).
    uint64_t frames_shown_ = 0, frames_copied_ = 0, images_copied_ = 0;
};

class Context : public pipe::RefCounted {
  public:
    std::shared_ptr<pipe::Screen> screen;  // before `gl`: outlives it
    std::unique_ptr<st::Context> gl;
    std::unique_ptr<es1::Context> es1;  // above `gl`; null: the context is of OpenGL ES 2.0 or later
    Display* display = nullptr;
    const Config* config = nullptr;  // null: EGL_NO_CONFIG_KHR
    EGLint major_version = 2;        // as asked for; `gl` may have a later one
    EGLint priority = EGL_CONTEXT_PRIORITY_MEDIUM_IMG;
    bool robust = false, no_error = false, lose_on_reset = false;
    std::atomic<bool> is_current{false};
    std::atomic<bool> destroyed{false};  // its handle is gone; it lives on where it is current
    bool had_surface = false;            // was current with one; of the thread that it is current on
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

/// A table of handles of one kind; owns a reference to each.
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
    /// Forgets the handle; the reference is the caller's.
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
    const Device* device =
        nullptr;  // of a gbm_device, or beside the windows; null: TERRAZZO_DEVICE, or the native display, says it
    std::vector<Config> configs;
    std::string extensions;
    std::string window_text;  // kWindowTextTerrazzo's last answer
    Handles<Surface> surfaces;
    Handles<Context> contexts;
    Handles<EglImage> images;
    Handles<Sync> syncs;
    std::unique_ptr<winsys::WaylandDrm> wayland;  // EGL_WL_bind_wayland_display; null: none is bound
    std::shared_ptr<BlobCache> blob_cache;        // null: the program has given none
    std::atomic<unsigned> frame_files{0};         // TERRAZZO_DEBUG=frames: how many there are
    EGLLabelKHR label = nullptr;

    /// EGL_SUCCESS, or the error with its reason.
    EGLint initialize(std::string* why);
    /// Marks all objects for deletion; what is current lives until it is released.
    void terminate();
    [[nodiscard]] const Config* find_config(EGLConfig handle) const;
};

/// The display of that platform and native display (made on demand). Throws bad_alloc only.
[[nodiscard]] Display* get_display(EGLenum platform, void* native, bool track_references);
/// Null where the handle is none.
[[nodiscard]] Display* find_display(EGLDisplay handle);
/// The platform of eglGetDisplay: EGL_PLATFORM, the look of `native`, a Wayland server at hand, else
/// surfaceless.
[[nodiscard]] EGLenum default_platform(void* native);

/// The devices of EGL_EXT_device_enumeration (api/devices). Immutable.
struct Device {
    const char* name;  // TERRAZZO_DEVICE's word
    std::string extensions;
    const char *render_node, *primary_node;  // null: there is none
};
[[nodiscard]] const std::vector<Device>& devices();
[[nodiscard]] const Device* find_device(const void* handle);
/// What the display draws on; null: TERRAZZO_DEVICE is not listed, since it was changed after the first look.
[[nodiscard]] const Device* device_of(const Display& display);
/// Whether a compositor may offer wl_drm: its clients need a node to open, and the device must import what they draw.
[[nodiscard]] bool binds_wayland(const Display& display);
/// A display of EGL_PLATFORM_DEVICE_EXT has its device's screen, others that of TERRAZZO_DEVICE. Where that is not set, the GPU
/// that shows the platform's windows draws, if there is a driver for it; `*beside` is it then. Null: `why` says the reason.
[[nodiscard]] std::shared_ptr<pipe::Screen> open_screen(const Display& display,
                                                        const winsys::Platform& platform,
                                                        const Device** beside, std::string* why);

}  // namespace terrazzo::egl
