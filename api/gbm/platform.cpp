// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/gbm/platform.h"

#include <dlfcn.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "api/gbm/formats.h"
#include "api/gbm/surface.h"
#include "winsys/drm/sync_file.h"
#include "winsys/process/untrusted.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::gbm {
namespace {

/// Makes later users of the buffer wait for the fence: by the dma-buf's fences if the kernel can attach it,
/// otherwise here.
void attach_fence(int dmabuf, int fence) {
    uapi::dma_buf_sync_file request{uapi::kDmaBufWrite, fence};
    if (fence < 0 || ioctl(dmabuf, uapi::kIoctlDmaBufImportSyncFile, &request) == 0) return;
    winsys::wait_for_sync_file(fence);
}

class SurfaceBuffer final : public winsys::WindowBuffer {
  public:
    SurfaceBuffer(std::shared_ptr<Buffers> buffers, gbm_bo* bo) : buffers_(std::move(buffers)), bo_(bo) {}
    ~SurfaceBuffer() override { buffers_->remove(bo_); }
    bool busy() const override { return buffers_->busy(bo_); }
    [[nodiscard]] gbm_bo* bo() const { return bo_; }

  private:
    const std::shared_ptr<Buffers> buffers_;
    gbm_bo* const bo_;
};

class SurfaceWindow final : public winsys::Window {
  public:
    explicit SurfaceWindow(Surface& s, std::vector<uint64_t> modifiers)
        : owner_{s.device, s.owner},
          buffers_(s.buffers),
          format_(s.v0.format),
          width_px_(s.v0.width),
          height_px_(s.v0.height),
          modifiers_(std::move(modifiers)),
          dumb_(s.owner->scans_out_dumb() && s.v0.flags & GBM_BO_USE_SCANOUT),
          alive_(std::make_shared<int>()) {
        s.window = alive_;
    }
    void size(uint32_t* width_px, uint32_t* height_px) override {
        *width_px = width_px_;
        *height_px = height_px_;
    }
    winsys::PresentStatus present(const winsys::Frame& frame, int interval) override;
    std::span<const uint64_t> shared_modifiers() override { return modifiers_; }
    bool allocates_buffers() const override { return dumb_; }
    bool allocate_buffer(uint32_t width_px, uint32_t height_px, winsys::SharedBuffer* out) override {
        return dumb_ && create_dumb(*owner_.device, width_px, height_px, format_, out);
    }
    std::unique_ptr<winsys::WindowBuffer> create_buffer(const winsys::SharedBuffer& buffer) override;
    winsys::PresentStatus present_shared(winsys::WindowBuffer& buffer, std::span<const winsys::Rect> damage,
                                         int interval, const winsys::FrameFence& fence) override;
    /// Only the program releases buffers, so waiting for it here would never end.
    bool wait_for_buffer() override { return false; }

  private:
    const Owner owner_;
    const std::shared_ptr<Buffers> buffers_;
    const uint32_t format_, width_px_, height_px_;
    const std::vector<uint64_t> modifiers_;
    const bool dumb_;
    const std::shared_ptr<int> alive_;
    std::vector<std::unique_ptr<SurfaceBuffer>> copies_;  // for present()
};

std::unique_ptr<winsys::WindowBuffer> SurfaceWindow::create_buffer(const winsys::SharedBuffer& buffer) {
    winsys::SharedBuffer same = buffer;
    same.fourcc = format_;  // the config's format, which may have another alpha
    gbm_bo* const bo = import_bo(owner_, {&same, 1}, 0);
    if (!bo) return nullptr;
    if (!buffers_->add(bo)) {
        destroy_bo(bo);
        return nullptr;
    }
    return std::make_unique<SurfaceBuffer>(buffers_, bo);
}

winsys::PresentStatus SurfaceWindow::present_shared(winsys::WindowBuffer& buffer,
                                                    std::span<const winsys::Rect>, int,
                                                    const winsys::FrameFence& fence) {
    gbm_bo* const bo = static_cast<SurfaceBuffer&>(buffer).bo();
    // Programs map buffers, and a memfd has no requests with which they could wait.
    if (fence.fd >= 0 && !winsys::waits_itself(fence.implicit, [] { return winsys::PeerFences{}; })) {
        const int fd = export_plane(bo, 0);
        attach_fence(fd, fence.fd);
        if (fd >= 0) close(fd);
    }
    buffers_->show(bo);
    return winsys::PresentStatus::Ok;
}

/// Frames that were not drawn to a buffer of the window are copied, top row first.
winsys::PresentStatus SurfaceWindow::present(const winsys::Frame& frame, int) {
    using winsys::PresentStatus;
    auto free = std::ranges::find_if(copies_, [](const auto& c) { return !c->busy(); });
    if (free == copies_.end()) {
        const NewBo desc = {width_px_, height_px_, format_, dumb_ ? uint32_t(GBM_BO_USE_SCANOUT) : 0,
                            modifiers_};
        gbm_bo* const bo = create_bo(owner_, desc);
        if (!bo) return PresentStatus::OutOfMemory;
        if (!buffers_->add(bo)) {
            destroy_bo(bo);
            return PresentStatus::OutOfMemory;
        }
        copies_.push_back(std::make_unique<SurfaceBuffer>(buffers_, bo));
        free = copies_.end() - 1;
    }
    gbm_bo* const bo = (*free)->bo();
    uint32_t stride_B = 0;
    void* map_data = nullptr;
    auto* const to = static_cast<uint8_t*>(
        map_bo(bo, 0, 0, width_px_, height_px_, GBM_BO_TRANSFER_WRITE, &stride_B, &map_data));
    if (!to) return PresentStatus::OutOfMemory;
    const uint32_t rows = std::min(height_px_, frame.height_px);
    const uint32_t row_B = std::min(width_px_, frame.width_px) * bits_per_pixel(format_) / 8;
    for (uint32_t y = 0; y < rows; ++y)
        std::copy_n(frame.pixels + size_t(frame.height_px - 1 - y) * frame.stride_B, row_B,
                    to + size_t(y) * stride_B);
    unmap_bo(bo, map_data);
    buffers_->show(bo);
    return PresentStatus::Ok;
}

/// A fourcc code whose alpha channel is ignored.
uint32_t without_alpha(uint32_t fourcc) {
    return (fourcc & 0xff) == 'A' ? (fourcc & ~0xffu) | 'X' : fourcc;
}

class GbmPlatform final : public winsys::Platform {
  public:
    explicit GbmPlatform(std::shared_ptr<Device> device) : device_(std::move(device)) {}
    bool initialize(std::string*) override { return true; }
    bool has_windows() const override { return true; }
    bool can_present(uint32_t fourcc) const override {
        // Without a device: the formats that all devices have.
        return device_ ? image_format(device_->screen(), fourcc, true) != pipe::Format::None : fourcc != 0;
    }
    std::unique_ptr<winsys::Window> create_window(void* native, uint32_t fourcc, std::string* why) override;
    bool matches(void* native, uint32_t fourcc) const override {
        const Surface* const s = find_surface(native);
        return !s || without_alpha(fourcc) == without_alpha(s->v0.format);
    }
    bool window_in_use(void* native) const override {
        const Surface* const s = find_surface(native);
        return s && !s->window.expired();
    }

  private:
    const std::shared_ptr<Device> device_;
};

std::unique_ptr<winsys::Window> GbmPlatform::create_window(void* native, uint32_t, std::string* why) {
    Surface* const s = find_surface(native);
    if (!s) {
        *why = "the window is no gbm_surface of Terrazzo's gbm";
        return nullptr;
    }
    if (s->owner != device_) {
        *why = "the gbm_surface is of another gbm_device than the display";
        return nullptr;
    }
    std::vector<uint64_t> modifiers = s->modifiers;
    if (modifiers.empty() || (s->owner->scans_out_dumb() && s->v0.flags & GBM_BO_USE_SCANOUT))
        modifiers = {s->v0.flags & GBM_BO_USE_LINEAR ? pipe::kModifierLinear : pipe::kModifierInvalid};
    return std::make_unique<SurfaceWindow>(*s, std::move(modifiers));
}

/// The first word at `native`; null: there is no readable word.
const void* first_word(const void* native) {
    const void* word = nullptr;
    return winsys::read_untrusted(native, &word, sizeof word) ? word : nullptr;
}

}  // namespace

std::unique_ptr<winsys::Platform> create_platform(void* native, api::FileDevice* out, std::string* why) {
    std::shared_ptr<Device> device = native ? find_device(native) : nullptr;
    if (native && !device) {
        *why = describe_foreign_device(native);
        return nullptr;
    }
    if (device) *out = device->opened();
    return std::make_unique<GbmPlatform>(std::move(device));
}

bool is_own_device(const void* native) {
    return find_device(native) != nullptr;
}

pipe::Ref<pipe::Resource> find_bo_image(void* native, const pipe::Screen& screen, std::string* why) {
    Bo* const bo = find_bo(native);
    if (!bo || &bo->owner->screen() != &screen)
        *why = "the pixmap is no gbm_bo of the display's gbm_device";
    else if (bo->plane_count != 1)
        *why = "the gbm_bo has several planes: import it with EGL_LINUX_DMA_BUF_EXT";
    else
        return bo->planes[0].image;
    return nullptr;
}

bool is_gbm_device(const void* native) {
    if (find_device(native)) return true;
    // Recognizes another libgbm's: a gbm_device begins with the address of its gbm_create_device.
    Dl_info info{};
    const void* const word = first_word(native);
    return word && dladdr(word, &info) && info.dli_sname &&
           std::string_view(info.dli_sname) == "gbm_create_device";
}

std::string describe_foreign_device(const void* native) {
    if (!is_gbm_device(native)) return "the native display is no gbm_device";
    Dl_info info{};
    const void* const create = first_word(native);
    const bool known = dladdr(create, &info) && info.dli_fname;
    return std::string("the gbm_device is of another driver (") +
           (known ? info.dli_fname : "an unknown libgbm") +
           "): run the program with Terrazzo's libgbm.so.1 (`terrazzo run`), or with GBM_BACKEND=terrazzo "
           "and "
           "GBM_BACKENDS_PATH at Terrazzo's gbm folder";
}

}  // namespace terrazzo::gbm
