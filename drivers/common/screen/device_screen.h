// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the screens of all vendors have in common: a device, the state that null binds, internal draws of
// contexts, the cache of compiled code. `Self` is the vendor's screen. It derives from this class and has
//   template <class T, class Desc> Ref<T> make_state(const Desc&)   optional; null: out of memory
// `Types` names its classes: Device, Queue, Resource, SamplerView, Program, Raster, DepthStencil, Blend,
// VertexLayout, Sampler.
#pragma once

#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "drivers/common/blit/draw_blit.h"
#include "drivers/common/clear/draw_clear.h"
#include "drivers/common/images/stored.h"
#include "drivers/common/memory/fence.h"
#include "drivers/common/screen/factory.h"
#include "pipe/debug.h"
#include "pipe/raster/sample_positions.h"
#include "pipe/screen.h"
#include "shaders/cache/cache.h"
#include "shaders/own_stack.h"

namespace terrazzo::screens {

/// Null: out of memory.
template <class T, class... Args>
[[nodiscard]] pipe::Ref<T> make(Args&&... args) {
    auto made = pipe::Ref<T>::adopt(new (std::nothrow) T(std::forward<Args>(args)...));
    if constexpr (requires { made->valid(); })
        if (made && !made->valid()) return nullptr;
    return made;
}

/// Throws std::bad_alloc if `made` is null.
template <class T>
[[nodiscard]] T must(T made) {
    if (!made) throw std::bad_alloc();
    return made;
}

/// The caps in which all vendors differ.
struct Limits {
    int gles_version = 20;
    uint32_t color_targets = pipe::kMaxColorTargets, samples = 1;
    uint32_t stage_samplers = 16;     // of the vertex and of the fragment stage
    uint32_t combined_samplers = 32;  // of all stages
    float line_width_px = 1, point_size_px = 1;
};
void fill_limits(pipe::Caps* caps, const Limits& limits);
/// Sets the caps that are equal for all vendors.
void fill_common_caps(pipe::Caps* caps, const char* vendor, const std::string& renderer);
/// The device's clock, or the CPU's if `of_device_ns` is 0.
[[nodiscard]] uint64_t timestamp_ns(uint64_t of_device_ns);

/// Logs why an image of another process cannot be imported. The caller reports its own error, too.
void tell_import(const memory::Device& device, pipe::ImportStatus why);

/// The value of attributes without a format or buffer.
inline constexpr float kMissingAttribute[4] = {0, 0, 0, 1};

/// The views that unbound texture units read, with texels (0,0,0,1).
template <class View>
class NullViews {
  public:
    /// Throws std::bad_alloc.
    template <class Device>
    explicit NullViews(Device& device)
        : flat_(must(View::create_null(device, pipe::ResourceKind::Tex2D))),
          volume_(must(View::create_null(device, pipe::ResourceKind::Tex3D))),
          cube_(must(View::create_null(device, pipe::ResourceKind::Cube))) {}
    /// `kind`: programs::TextureKinds::of().
    [[nodiscard]] View& of(pipe::ResourceKind kind) const {
        return *(kind == pipe::ResourceKind::Cube    ? cube_
                 : kind == pipe::ResourceKind::Tex3D ? volume_
                                                     : flat_);
    }

  private:
    const pipe::Ref<View> flat_, volume_, cube_;
};

template <class Self, class Types>
class DeviceScreen : public pipe::Screen {
  public:
    using Device = typename Types::Device;
    using Resource = typename Types::Resource;
    /// Throws std::bad_alloc.
    using ContextMaker = std::unique_ptr<pipe::Context> (*)(Self&, const pipe::ContextDesc&,
                                                            std::unique_ptr<typename Types::Queue>);

    [[nodiscard]] bool format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                        uint32_t bind) const final {
        return Resource::supported(device_->chip(), f, kind, samples, bind);
    }
    [[nodiscard]] pipe::Ref<pipe::Resource> create_resource(const pipe::ResourceDesc& desc) final {
        return Resource::create(*device_, desc);
    }
    [[nodiscard]] std::span<const pipe::Modifier> modifiers(pipe::Format f) const final {
        return Resource::modifiers(*device_, f);
    }
    [[nodiscard]] pipe::Ref<pipe::Resource> create_shared_resource(
        const pipe::ResourceDesc& desc, std::span<const uint64_t> modifiers) final {
        return Resource::create_shared(*device_, desc, modifiers);
    }
    [[nodiscard]] pipe::Ref<pipe::Resource> import_resource(const pipe::ResourceDesc& desc,
                                                            const pipe::SharedImage& image,
                                                            pipe::ImportStatus* status = nullptr) final {
        auto result = pipe::ImportStatus::Ok;
        pipe::Ref<pipe::Resource> r = Resource::import(*device_, desc, image, &result);
        if (!r) tell_import(*device_, result);
        if (status) *status = result;
        return r;
    }
    [[nodiscard]] pipe::Ref<pipe::Resource> create_resource_in(const pipe::ResourceDesc& desc,
                                                               const pipe::MemoryRange& range,
                                                               pipe::ImportStatus* status) final {
        return Resource::create_in(*device_, desc, range, status);
    }
    [[nodiscard]] pipe::ImportStatus check_memory(const pipe::MemoryRange& range) final {
        return images::check_memory(*device_, range);
    }
    [[nodiscard]] bool export_resource(pipe::Resource& r, pipe::SharedImage* out) final {
        return static_cast<Resource&>(r).export_to(out);
    }
    [[nodiscard]] pipe::Ref<pipe::SamplerView> create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                                   const pipe::SamplerViewDesc& desc) final {
        return Types::SamplerView::create(*device_, std::move(r), desc);
    }
    [[nodiscard]] pipe::Ref<pipe::Program> create_program(const pipe::ProgramDesc& desc,
                                                          const pipe::Log& log) final {
        return shaders::on_own_stack(
            [&] { return Types::Program::create(*device_, desc, log, program_parts_); });
    }

    void sample_position(uint32_t samples, uint32_t index, float xy[2]) const final {
        pipe::raster::sample_position(samples, index, xy);
    }
    [[nodiscard]] pipe::Ref<pipe::Fence> import_fence(int fd) final {
        return memory::import_fence(*device_, fd);
    }
    [[nodiscard]] pipe::Ref<pipe::SamplerState> create_sampler(const pipe::SamplerDesc& d) final {
        return this->template make_object<typename Types::Sampler>(d);
    }
    [[nodiscard]] pipe::Ref<pipe::RasterState> create_raster(const pipe::RasterDesc& d) final {
        return this->template make_object<typename Types::Raster>(d);
    }
    [[nodiscard]] pipe::Ref<pipe::DepthStencilState> create_depth_stencil(
        const pipe::DepthStencilDesc& d) final {
        return this->template make_object<typename Types::DepthStencil>(d);
    }
    [[nodiscard]] pipe::Ref<pipe::BlendState> create_blend(const pipe::BlendDesc& d) final {
        return this->template make_object<typename Types::Blend>(d);
    }
    [[nodiscard]] pipe::Ref<pipe::VertexLayout> create_vertex_layout(const pipe::VertexLayoutDesc& d) final {
        return this->template make_object<typename Types::VertexLayout>(d);
    }
    [[nodiscard]] std::unique_ptr<pipe::Context> create_context(const pipe::ContextDesc& desc) final {
        try {
            auto queue = Types::Queue::create(device_, desc.priority);
            if (!queue) return nullptr;  // the queue has logged why
            return make_context_(self(), desc, std::move(queue));
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }
    [[nodiscard]] uint64_t timestamp_ns() const final {
        return screens::timestamp_ns(device_->timestamp_ns());
    }

    [[nodiscard]] Device& device() const { return *device_; }
    [[nodiscard]] typename Types::Program::Shared& program_parts() { return program_parts_; }
    [[nodiscard]] blits::DrawBlits& draw_blits() { return draw_blits_; }
    [[nodiscard]] clears::DrawClears& draw_clears() { return *draw_clears_; }

    /// The address of kMissingAttribute's 16 bytes.
    [[nodiscard]] uint64_t missing_attribute_va() const { return missing_attribute_.va; }

    // The state that null binds.
    pipe::Ref<typename Types::Raster> default_raster;
    pipe::Ref<typename Types::DepthStencil> default_depth_stencil;
    pipe::Ref<typename Types::Blend> default_blend;
    pipe::Ref<typename Types::VertexLayout> default_vertex_layout;
    pipe::Ref<typename Types::Sampler> default_sampler;

  protected:
    /// Throws std::bad_alloc.
    DeviceScreen(pipe::Ref<Device> device, ContextMaker make_context, const Limits& limits)
        : device_(std::move(device)),
          make_context_(make_context),
          code_cache_(shaders::cache_options_from_environment(kMemoryCache_B)),
          renderer_(std::string("Terrazzo ") + device_->chip().marketing_name),
          missing_attribute_(must(device_->create_block(sizeof kMissingAttribute, 64))) {
        std::memcpy(missing_attribute_.cpu, kMissingAttribute, sizeof kMissingAttribute);
        fill_common_caps(&caps_, device_->vendor, renderer_);
        fill_limits(&caps_, limits);
        program_parts_.cache = &code_cache_;
        caps_.half_fragments = !device_->debug.has(pipe::DebugWord::NoFp16);
    }
    /// For the vendor's constructor, as soon as state can be created. Throws std::bad_alloc.
    void make_defaults() {
        default_raster = must(this->template make_object<typename Types::Raster>(pipe::RasterDesc()));
        default_depth_stencil =
            must(this->template make_object<typename Types::DepthStencil>(pipe::DepthStencilDesc()));
        default_blend = must(this->template make_object<typename Types::Blend>(pipe::BlendDesc()));
        default_vertex_layout =
            must(this->template make_object<typename Types::VertexLayout>(pipe::VertexLayoutDesc()));
        default_sampler = must(this->template make_object<typename Types::Sampler>(pipe::SamplerDesc()));
        draw_clears_ = std::make_unique<clears::DrawClears>(*this);
    }

  private:
    /// Null: out of memory.
    template <class T, class Desc>
    [[nodiscard]] pipe::Ref<T> make_object(const Desc& desc) {
        if constexpr (requires { self().template make_state<T>(desc); })
            return self().template make_state<T>(desc);
        else
            return make<T>(desc);
    }
    static constexpr size_t kMemoryCache_B = size_t(4) << 20;
    [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }

    const pipe::Ref<Device> device_;
    const ContextMaker make_context_;
    shaders::ShaderCache code_cache_;
    typename Types::Program::Shared program_parts_;
    const std::string renderer_;
    const memory::Block missing_attribute_;
    blits::DrawBlits draw_blits_{*this};
    std::unique_ptr<clears::DrawClears> draw_clears_;
};

/// A DeviceScreen::ContextMaker.
template <class Context, class Screen, class Queue>
[[nodiscard]] std::unique_ptr<pipe::Context> make_context(Screen& screen, const pipe::ContextDesc& desc,
                                                          std::unique_ptr<Queue> queue) {
    return std::make_unique<Context>(screen, desc, std::move(queue));
}

template <class S>
std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                            std::string* why) {
    try {
        pipe::Ref<typename S::Device> device = S::Device::create(std::move(drm), log, why);
        if (!device) return nullptr;
        return std::make_unique<S>(std::move(device));
    } catch (const std::bad_alloc&) {
        *why = "the device's driver could not start: out of memory";
        return nullptr;
    }
}

}  // namespace terrazzo::screens
