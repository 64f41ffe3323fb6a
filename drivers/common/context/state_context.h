// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The part of a context that binds state. `Self` is a vendor's context. It derives from this class and says
// what each change makes dirty:
//   kDepthStencilDirty, kVertexLayoutDirty, kScissorDirty, kStencilRefDirty, kSampleMaskDirty,
//   kVertexBuffersDirty, kPassDirty, kStreamOutputsDirty
//   DirtyBits blend_changes(now): called before `now` is bound
//   DirtyBits raster_changes(now): likewise; or constants kRasterDirty, and kClipZDirty for a change of
//     RasterDesc::clip_z_zero. Then a change of RasterDesc::scissor makes kScissorDirty dirty, too
//   DirtyBits viewport_changes(), blend_color_changes(), or constants kViewportDirty, kBlendColorDirty
//   stream_output_: a member with set(ranges), as pipe::Context::set_stream_outputs
//   static bool draws_compressed(chip, desc, attachment): whether the pass can draw into the attachment in
//     compressed form; optional
//   void finish_pass(bool goes_on): ends the active pass, as RecordingContext::end_pass()
//   void forget_groups(): called when all state becomes dirty, as before the first draw; optional
// It may replace the functions below that are marked "By default".
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "drivers/common/blit/draw_blit.h"
#include "drivers/common/clear/draw_clear.h"
#include "drivers/common/context/bound_state.h"
#include "drivers/common/context/pass_desc.h"
#include "drivers/common/context/vertex_list.h"
#include "drivers/common/images/access.h"

namespace terrazzo::contexts {

/// The name of a group in the message about a device that lacks it (RecordingContext::unsupported).
[[nodiscard]] const char* group_name(pipe::Stage s, Group g);

template <class Self, class Types>
class StateContext : public images::ImageAccess {
  public:
    void bind_raster(pipe::RasterState* s) final {
        auto& now = s ? static_cast<typename Types::Raster&>(*s) : *screen_.default_raster;
        if constexpr (requires { Self::kRasterDirty; })
            state_.dirty |= usual_raster_changes(state_.raster->desc, now.desc);
        else
            state_.dirty |= self().raster_changes(now);
        state_.raster = &now;
    }
    void bind_depth_stencil(pipe::DepthStencilState* s) final {
        auto& now = s ? static_cast<typename Types::DepthStencil&>(*s) : *screen_.default_depth_stencil;
        state_.dirty |= Self::kDepthStencilDirty;
        state_.depth_stencil = &now;
    }
    void bind_blend(pipe::BlendState* s) final {
        auto& now = s ? static_cast<typename Types::Blend&>(*s) : *screen_.default_blend;
        state_.dirty |= self().blend_changes(now);
        state_.blend = &now;
    }
    void bind_vertex_layout(pipe::VertexLayout* s) final {
        state_.layout =
            s ? static_cast<typename Types::VertexLayout*>(s) : screen_.default_vertex_layout.get();
        state_.dirty |= Self::kVertexLayoutDirty;
    }
    void set_stream_outputs(std::span<const pipe::BufferRange> buffers) final {
        if constexpr (requires { Self::kStreamOutputsDirty; }) {
            self().stream_output_.set(buffers);
            state_.dirty |= Self::kStreamOutputsDirty;
        } else if (any(buffers)) {
            unsupported("stream output");
        }
    }
    void set_viewport(const pipe::Viewport& v) final {
        state_.viewport = v;
        if constexpr (requires { Self::kViewportDirty; })
            state_.dirty |= Self::kViewportDirty;
        else
            state_.dirty |= self().viewport_changes();
    }
    void set_scissor(const pipe::Scissor& s) final {
        state_.scissor = s;
        if (state_.raster->desc.scissor) state_.dirty |= Self::kScissorDirty;
    }
    void set_blend_color(const float rgba[4]) final {
        std::copy_n(rgba, 4, state_.blend_color);
        if constexpr (requires { Self::kBlendColorDirty; })
            state_.dirty |= Self::kBlendColorDirty;
        else
            state_.dirty |= self().blend_color_changes();
    }
    void set_stencil_ref(uint8_t front, uint8_t back) final {
        state_.stencil_ref_front = front;
        state_.stencil_ref_back = back;
        state_.dirty |= Self::kStencilRefDirty;
    }
    void set_sample_mask(float coverage, bool invert, uint32_t mask) final {
        state_.coverage = coverage;
        state_.invert_coverage = invert;
        state_.sample_mask = mask;
        state_.dirty |= Self::kSampleMaskDirty;
    }
    void set_vertex_buffers(std::span<const pipe::VertexBuffer> buffers) final {
        state_.vertex_buffers.assign(buffers.begin(), buffers.end());
        state_.dirty |= Self::kVertexBuffersDirty;
    }
    void set_uniforms(pipe::Stage stage, std::span<const uint32_t> dwords) final {
        if (!takes(stage, Group::Uniforms, !dwords.empty())) return;
        state_.stages[stage].uniforms.assign(dwords.begin(), dwords.end());
        state_.dirty |= self().uniforms_change(stage);
    }
    void set_constant_buffers(pipe::Stage stage, uint32_t first,
                              std::span<const pipe::BufferRange> ranges) final {
        if (!takes(stage, Group::Blocks, any(ranges))) return;
        replace(state_.stages[stage].blocks, first, ranges);
        state_.touch(stage, Group::Blocks);
    }
    void set_storage_buffers(pipe::Stage stage, uint32_t first,
                             std::span<const pipe::BufferRange> ranges) final {
        if (!takes(stage, Group::Storage, any(ranges))) return;
        replace(state_.stages[stage].storage_buffers, first, ranges);
        state_.touch(stage, Group::Storage);
    }
    void set_images(pipe::Stage stage, uint32_t first, std::span<const pipe::ImageView> views) final {
        if (!takes(stage, Group::Storage, any(views))) return;
        BoundStage& s = state_.stages[stage];
        replace(s.images, first, views);
        for (size_t i = 0; i < views.size() && first + i < s.images.size(); ++i)
            note_image(s, unsigned(first + i), views[i]);
        state_.touch(stage, Group::Storage);
    }
    void set_textures(pipe::Stage stage, uint32_t first, std::span<pipe::SamplerView* const> views,
                      std::span<pipe::SamplerState* const> samplers) final {
        if (!takes(stage, Group::Textures, true)) return;
        BoundStage& s = state_.stages[stage];
        for (size_t i = 0; i < views.size() && first + i < s.views.size(); ++i) {
            s.views[first + i] = views[i];
            s.samplers[first + i] = i < samplers.size() ? samplers[i] : nullptr;
            note_view(s, unsigned(first + i), views[i]);
        }
        state_.touch(stage, Group::Textures);
    }
    [[nodiscard]] submission::QueuedRecording& recording() final { return recorder_; }
    [[nodiscard]] CountLayout count_layout(pipe::QueryKind kind) const final {
        return Types::Counts::layout(screen_.device().chip(), kind);
    }
    void begin_render_pass(const pipe::RenderPassDesc& desc) final {
        if constexpr (kContinues)
            if (self().continue_pass(desc)) return void(in_pass_ = true);
        end_pass();
        in_pass_ = false;
        ++passes_;
        if (recorder_.is_much()) (void)submit();
        in_pass_ = true;
        begin_attachments(desc);
        self().begin_pass(desc);
    }
    /// A pass that can continue stays active until its pixels are needed.
    void end_render_pass() final {
        if constexpr (!kContinues) end_pass();
        in_pass_ = false;
    }
    void clear(const pipe::ClearInfo& info) final {
        if (!in_pass_)
            return log_(pipe::Severity::Error,
                        std::string(screen_.device().vendor) + ": clear outside a render pass");
        if (!pass_.active()) return;
        const uint32_t drawn = self().clear_in_pass(info, clears::plan(info, pass_.desc()));
        if (!drawn) return;
        const StateAside saved(self());
        screen_.draw_clears().run(*this, info, pass_.desc(), drawn, log_);
    }
    void discard_attachments(uint32_t attachments) final {
        if (in_pass_) pass_.discard(attachments);
    }
    void end_pass(bool goes_on = false) final {
        if (!pass_.active()) return;
        self().finish_pass(goes_on);
        state_.dirty |= Self::kPassDirty;
    }
    /// pipe/blit divides blits first into copies, blits for this function, and work for the CPU.
    [[nodiscard]] bool try_blit(const pipe::BlitInfo& info) final {
        if (in_pass_ || !info.src.resource || !info.dst.resource || !device_shall_blit(info)) return false;
        if (blit_by_device(info)) return true;
        blits::DrawBlits& draws = screen_.draw_blits();
        if (!draws.can(info)) return false;
        const StateAside saved(self());
        return draws.run(*this, info, screen_.draw_clears().rectangle(), screen_.draw_clears().layout(),
                         log_);
    }

  protected:
    using State = BoundState<Types>;

    /// Throws std::bad_alloc.
    StateContext(typename Types::Screen& screen, const pipe::ContextDesc& desc,
                 std::unique_ptr<typename Types::Queue> queue)
        : ImageAccess(screen, screen.device(), desc),
          screen_(screen),
          recorder_(pipe::Ref<typename Types::Device>(&screen.device()), std::move(queue)),
          pass_(recorder_) {
        state_.raster = screen.default_raster.get();
        state_.depth_stencil = screen.default_depth_stencil.get();
        state_.blend = screen.default_blend.get();
        state_.layout = screen.default_vertex_layout.get();
    }

    /// The GPU may still use memory that the recorder owns: abandon() is called before it is destroyed.
    ~StateContext() override { recorder_.queue().abandon(); }

    /// Saves the state of draws, with the fragment stage's resources, while the driver draws for itself; the
    /// destructor restores it. No query counts meanwhile.
    class StateAside {
      public:
        explicit StateAside(Self& c)
            : context_(c),
              values_(c.state_),
              vertex_buffers_(std::move(c.state_.vertex_buffers)),
              fragment_(std::exchange(fragment(), {})),
              queries_(std::exchange(c.queries_.open, {})) {
            c.touch_all();
        }
        StateAside(const StateAside&) = delete;
        StateAside& operator=(const StateAside&) = delete;
        ~StateAside() {
            static_cast<BoundValues<Types>&>(context_.state_) = values_;
            context_.state_.vertex_buffers = std::move(vertex_buffers_);
            fragment() = std::move(fragment_);
            context_.queries_.open = std::move(queries_);
            context_.touch_all();
        }

      private:
        [[nodiscard]] BoundStage& fragment() { return context_.state_.stages[pipe::Stage::Fragment]; }

        Self& context_;
        const BoundValues<Types> values_;
        std::vector<pipe::VertexBuffer> vertex_buffers_;
        BoundStage fragment_;
        OpenQueries queries_;
    };

    [[nodiscard]] pipe::Ref<images::StoredResource> create_staged(const pipe::ResourceDesc& desc,
                                                                  images::StagingMemory& memory) final {
        return Types::Resource::create_staged(screen_.device(), desc, memory);
    }

    /// By default programs of draws have uniforms, blocks and textures. Whether the device's programs can use
    /// the group in that stage.
    [[nodiscard]] static bool takes(pipe::Stage s, Group g) {
        return (s == pipe::Stage::Vertex || s == pipe::Stage::Fragment) && g != Group::Storage;
    }
    /// By default the stage's uniforms become dirty.
    [[nodiscard]] static DirtyBits uniforms_change(pipe::Stage s) { return dirty_bit(s, Group::Uniforms); }
    /// By default a ContinuedPass decides. True: the active pass continues as a pass with this description.
    [[nodiscard]] bool continue_pass(const pipe::RenderPassDesc& desc) {
        if (!pass_.continues(desc)) return false;
        pass_.go_on(desc);
        return true;
    }
    /// Called outside of passes. By default no state of earlier passes holds.
    void begin_pass(const pipe::RenderPassDesc& desc) {
        pass_.begin(desc);
        touch_all();
    }
    /// Clears the attachments that need no draw for it. Returns those that need one. By default, before the
    /// first draw of a ContinuedPass, clears become its initial contents.
    [[nodiscard]] uint32_t clear_in_pass(const pipe::ClearInfo& info, const clears::Plan& plan) {
        if (!pass_.fresh() || !clears::covers(info, pass_.desc())) return plan.masked | plan.whole;
        pass_.clear_on_load(info, plan.whole);
        return plan.masked;
    }
    /// By default the pass has all that is lost.
    void drop_pass() override { pass_.drop(); }

    void resume_pass(const pipe::RenderPassDesc* desc) final {
        touch_all();
        if (!desc) return;
        begin_attachments(*desc);
        self().begin_pass(*desc);
    }
    /// The resource's memory was replaced: makes the state dirty that was packed with its old address.
    void touch_memory(images::StoredResource& r) final {
        const auto in = [&](const auto& bound) {
            return std::any_of(bound.begin(), bound.end(), [&](const auto& b) { return b.resource == &r; });
        };
        if (in(state_.vertex_buffers)) state_.dirty |= Self::kVertexBuffersDirty;
        const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
        for (size_t i = 0; i < state_.stages.size(); ++i) {
            const auto stage = pipe::Stage(i);
            const BoundStage& s = state_.stages[stage];
            if (in(s.blocks)) state_.touch(stage, Group::Blocks);
            if (in(s.storage_buffers) || in(s.images)) state_.touch(stage, Group::Storage);
            // Views are not examined: some that the program does not use may have been destroyed.
            if (!is_buffer || s.buffer_views) state_.touch(stage, Group::Textures);
        }
    }
    /// Decompresses images that are bound, and that the program uses in a form that the hardware does not
    /// support (BoundStage::odd_views, odd_images). Such images stay uncompressed afterwards, so a call is
    /// needed only after a change of bindings. It may end and resume the pass.
    void make_views_plain() {
        for (const BoundStage& s : state_.stages)
            if (s.odd_views | s.odd_images) [[unlikely]]
                return make_odd_views_plain();
    }
    [[nodiscard]] ContextObjects<Types> objects() { return {*this, recorder_, pass_, screen_, state_}; }
    /// Around each draw: counts its primitives if a query asks for them; TERRAZZO_DEBUG=flush submits it.
    void begin_draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
        if (queries_.open.generated) [[unlikely]]
            queries_.open.primitives += count_primitives(*this, info, ranges);
    }
    void end_draw() {
        if (screen_.device().debug.has(pipe::DebugWord::Flush)) [[unlikely]]
            (void)submit();
    }
    /// An indirect draw whose parameters the CPU reads.
    void draw_directly(const pipe::DrawInfo& info) {
        DirectDraw d;
        if (read_parameters(*this, info, &d)) this->draw(d.info, {&d.range, 1});
    }
    void touch_all() {
        state_.dirty = kAllDirty;
        if constexpr (requires { self().forget_groups(); }) self().forget_groups();
    }
    [[nodiscard]] const pipe::RenderPassDesc* open_pass() const final {
        return pass_.active() ? &pass_.desc() : nullptr;
    }

    typename Types::Screen& screen_;
    State state_;
    typename Types::Recorder recorder_;
    typename Types::Pass pass_;

  private:
    static constexpr bool kContinues = Types::kContinuesPasses;
    [[nodiscard]] Self& self() { return static_cast<Self&>(*this); }
    [[nodiscard]] static DirtyBits usual_raster_changes(const pipe::RasterDesc& old,
                                                        const pipe::RasterDesc& now) {
        DirtyBits dirty = Self::kRasterDirty;
        if (old.scissor != now.scissor) dirty |= Self::kScissorDirty;
        if constexpr (requires { Self::kClipZDirty; })
            if (old.clip_z_zero != now.clip_z_zero) dirty |= Self::kClipZDirty;
        return dirty;
    }
    /// False: programs of the device cannot use the group in this stage. Logs that if anything is bound.
    [[nodiscard]] bool takes(pipe::Stage stage, Group group, bool bound) const {
        if (Self::takes(stage, group)) [[likely]]
            return true;
        if (bound) unsupported(group_name(stage, group));
        return false;
    }
    /// Decides the form of the attachments: compressed if possible. Decompresses those that the pass cannot
    /// draw into in that form.
    void begin_attachments(const pipe::RenderPassDesc& desc) {
        for_each_attachment(desc, [&](const pipe::Attachment& a) {
            auto& r = static_cast<typename Types::Resource&>(*a.resource);
            const pipe::Format format = a.format == pipe::Format::None ? r.desc.format : a.format;
            bool compressed = r.compresses_alike(format);
            if constexpr (requires { Self::draws_compressed(screen_.device().chip(), desc, a); })
                compressed = compressed && Self::draws_compressed(screen_.device().chip(), desc, a);
            if (compressed)
                r.begin_drawing(format);
            else if (r.is_compressed())
                (void)make_plain(r);
            else
                r.keep_plain();
        });
    }
    static void set_bit(uint32_t* bits, unsigned n, bool on) {
        *bits = (*bits & ~(1u << n)) | uint32_t(on) << n;
    }
    static void note_view(BoundStage& s, unsigned slot, const pipe::SamplerView* bound) {
        const auto* const view = static_cast<const typename Types::SamplerView*>(bound);
        set_bit(&s.buffer_views, slot, view && view->desc.kind == pipe::ResourceKind::Buffer);
        set_bit(&s.odd_views, slot, view && !view->reads_compressed && view->image().is_compressed());
    }
    /// Shaders cannot write compressed images.
    static void note_image(BoundStage& s, unsigned slot, const pipe::ImageView& view) {
        auto* const r = static_cast<typename Types::Resource*>(view.resource);
        if (r) r->keep_plain();
        set_bit(&s.odd_images, slot, r && r->is_compressed());
    }
    void make_odd_views_plain() {
        std::vector<images::StoredResource*> compressed;
        const auto add = [&](images::StoredResource& r) {
            if (r.is_compressed()) compressed.push_back(&r);
        };
        // Examines only resources that the program uses: others may have been destroyed.
        for (size_t i = 0; i < state_.stages.size(); ++i) {
            const BoundStage& s = state_.stages[pipe::Stage(i)];
            if (!(s.odd_views | s.odd_images)) continue;
            const auto& used = state_.program->used[i];
            for (uint32_t rest = s.odd_views & used.textures; rest; rest &= rest - 1)
                add(static_cast<images::StoredResource&>(*s.views[size_t(std::countr_zero(rest))]->resource));
            for (uint32_t rest = s.odd_images & used.images; rest; rest &= rest - 1)
                add(static_cast<images::StoredResource&>(*s.images[size_t(std::countr_zero(rest))].resource));
        }
        if (compressed.empty()) return;
        const PausedPass paused(*this);
        for (images::StoredResource* const r : compressed)
            if (r->is_compressed()) (void)make_plain(*r);
    }
    template <class T>
    static bool any(std::span<const T> bound) {
        return std::any_of(bound.begin(), bound.end(), [](const T& b) { return b.resource; });
    }
    template <class Array, class T>
    static void replace(Array& bound, uint32_t first, std::span<const T> now) {
        for (size_t i = 0; i < now.size() && first + i < bound.size(); ++i)
            bound[first + i] = now[i];
    }
};

}  // namespace terrazzo::contexts
