// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fallback shader compiler, which generates no code: shaders run in the IR's reference interpreter
// (shaders/ir/interp.h).
#include <algorithm>
#include <cstring>
#include <iterator>
#include <mutex>
#include <string>
#include <vector>

#include "drivers/soft/interp/interface.h"
#include "drivers/soft/interp/lower.h"
#include "shaders/ir/interp.h"
#include "shaders/own_stack.h"

namespace terrazzo::soft {

namespace {

using Word = uint32_t;

/// A shader, with a pool of memory for its runs: each run takes an entry and returns it.
class InterpShader final : public CompiledShader {
  public:
    InterpShader() { interpreted = true; }
    std::unique_ptr<const ir::InterpProgram> program;
    ir::Stage stage = ir::Stage::Vertex;
    uint32_t uniform_dw = 0;

    std::unique_ptr<ir::InterpState> take() const {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto s = std::move(idle_.back());
                idle_.pop_back();
                return s;
            }
        }
        return std::make_unique<ir::InterpState>(*program);
    }
    void give_back(std::unique_ptr<ir::InterpState> s) const {
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(s));
    }

  private:
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<ir::InterpState>> idle_;
};

void copy_row(Word* out, const void* from) {
    std::memcpy(out, from, kLanes * sizeof(Word));
}
void fill_row(Word* out, Word w) {
    std::fill_n(out, kLanes, w);
}
void fill_row(Word* out, float f) {
    fill_row(out, std::bit_cast<Word>(f));
}

class SoftEnv : public ir::InterpEnv {
  public:
    template <class Args>
    SoftEnv(const InterpShader& s, const Args& args)
        : shader_(s),
          textures_(args.textures),
          blocks_(args.blocks, s.blocks ? ir::kMaxUniformBlocks : 0),
          buffers_(args.buffers, s.storage_buffers ? ir::kAllStorageBuffers : 0),
          images_(args.images, s.images ? ir::kMaxImages : 0),
          watch_(*args.watch) {
        uniforms = {args.uniforms, args.uniforms ? s.uniform_dw : 0};
    }
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        return space == ir::Storage::UniformBlock ? blocks_ : buffers_;
    }
    std::span<const ir::ImageRange> images() final { return images_; }
    void tex(ir::InterpTex& t) final;
    bool goes_on() final {
        watch_.look(&watch_);
        return !is_stopped(watch_);
    }

  protected:
    const InterpShader& shader_;

  private:
    const TextureUnit* textures_;
    const std::span<const ir::MemoryRange> blocks_, buffers_;
    const std::span<const ir::ImageRange> images_;
    Watch& watch_;
};

void place_coordinates(const ir::InterpTex& t, TexCall* call) {
    const TexCoordinates c = tex_coordinates(*t.info);
    const auto put = [&](float* row, int n) {
        if (n >= 0) copy_row(reinterpret_cast<Word*>(row), t.coord[n]);
    };
    put(call->s, c.s), put(call->t, c.t), put(call->r, c.r), put(call->layer, c.layer);
}

void SoftEnv::tex(ir::InterpTex& t) {
    const TextureUnit* const unit = &textures_[t.info->binding];
    if (t.info->op == ir::TexOp::Levels || t.info->op == ir::TexOp::Size) {
        SizeRows rows = {};
        if (t.lod) copy_row(rows.row[SizeRows::kLod], t.lod);
        if (t.index) copy_row(rows.row[SizeRows::kIndex], t.index);
        texture_size_indexed(unit, &rows, t.info->count, t.info->arrayed);
        if (t.info->op == ir::TexOp::Levels) return copy_row(t.out[0], rows.row[SizeRows::kLevels]);
        const bool flat = t.info->dim == ir::TexDim::D1;
        for (unsigned n = 0; n < t.result_count; ++n)
            copy_row(t.out[n], rows.row[flat && n == 1 ? 2 : std::min(n, 2u)]);
        return;
    }
    TexCall call = {};
    call.unit = unit;
    call.mode = tex_mode(*t.info, shader_.stage);
    call.mask = LaneMask(t.mask);
    place_coordinates(t, &call);
    if (t.ref) copy_row(reinterpret_cast<Word*>(call.ref), t.ref);
    if (t.lod) copy_row(reinterpret_cast<Word*>(call.lod), t.lod);
    for (unsigned n = 0; n < 3; ++n) {
        if (t.ddx[n]) copy_row(reinterpret_cast<Word*>(call.ddx[n]), t.ddx[n]);
        if (t.ddy[n]) copy_row(reinterpret_cast<Word*>(call.ddy[n]), t.ddy[n]);
        call.offset[n] = tex_offset(*t.info, n);
    }
    for (unsigned n = 0; n < 2; ++n)
        if (t.offset[n]) copy_row(reinterpret_cast<Word*>(call.ddx[n]), t.offset[n]);
    if (t.index)
        sample_indexed(&call, textures_, t.index, uint32_t(t.info->binding), t.info->count);
    else
        unit->sample(&call);
    for (unsigned n = 0; n < std::min<unsigned>(t.result_count, std::size(call.out)); ++n)
        copy_row(t.out[n], call.out[n]);
}

class VertexEnv final : public SoftEnv {
  public:
    /// For kLanes vertices from `first` on.
    VertexEnv(const InterpShader& s, const VertexArgs& a, uint32_t first)
        : SoftEnv(s, a), args_(a), first_(first) {
        for (uint64_t rest = s.inputs_read; rest; rest &= rest - 1)
            rank_of_[std::countr_zero(rest)] = uint8_t(std::popcount(s.inputs_read) - std::popcount(rest));
        for (unsigned i = 0; i < s.slot_count; ++i) {
            index_of_[s.slots[i]] = uint8_t(i);
            for (unsigned c = 0; c < 4; ++c)
                std::fill_n(a.out + (i * 4 + c) * size_t(a.out_stride) + first, kLanes, 0.0f);
        }
    }
    void load_input(const ir::IoInfo& io, ir::Type, const Word*, Word* out) override {
        copy_row(out, args_.in + (rank_of_[io.slot] * 4 + io.component) * size_t(kInStride) + first_);
    }
    void load_sysval(ir::Sysval v, unsigned, ir::Type, Word* out) override {
        if (v == ir::Sysval::VertexId) return copy_row(out, args_.ids + first_);
        fill_row(out, v == ir::Sysval::InstanceId ? args_.instance : 0u);
    }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask mask, const Word* value) override {
        float* const out =
            args_.out + (index_of_[io.slot] * 4 + io.component) * size_t(args_.out_stride) + first_;
        for (unsigned i = 0; i < kLanes; ++i)
            if (mask >> i & 1) std::memcpy(&out[i], &value[i], sizeof(float));
    }

  private:
    const VertexArgs& args_;
    const uint32_t first_;
    uint8_t rank_of_[64] = {}, index_of_[64] = {};
};

class FragmentEnv final : public SoftEnv {
  public:
    FragmentEnv(const InterpShader& s, FragmentArgs& a, uint32_t block)
        : SoftEnv(s, a), args_(a), block_(block), setup_(*a.setup[block]) {
        for (unsigned i = 0; i < kLanes; ++i) {
            x_[i] = float(a.x[block] + int32_t((i & 1) + (i >> 2) * 2)) + a.centre[0];
            y_[i] = float(a.y[block] + int32_t(i >> 1 & 1)) + a.centre[1];
        }
        for (unsigned i = 0; i < s.slot_count; ++i)
            index_of_[s.slots[i]] = uint8_t(i);
        point_coord_ = s.slot_count * 4;
        if (s.reads_z_or_w) plane(setup_.inv_w, x_, y_, inv_w_);
    }
    void load_input(const ir::IoInfo& io, ir::Type, const Word*, Word* out) override {
        input(io, x_, y_, inv_w_, out);
    }
    /// Lowering has made the operands two offsets from the centre.
    void load_input_at(const ir::IoInfo& io, ir::Type, const Word* const place[2], Word* out) override {
        float x[kLanes], y[kLanes], inv_w[kLanes], offset[2][kLanes];
        std::memcpy(offset[0], place[0], sizeof offset[0]);
        std::memcpy(offset[1], place[1], sizeof offset[1]);
        for (unsigned i = 0; i < kLanes; ++i) {
            x[i] = (float(args_.x[block_] + int32_t((i & 1) + (i >> 2) * 2)) + 0.5f) + offset[0][i];
            y[i] = (float(args_.y[block_] + int32_t(i >> 1 & 1)) + 0.5f) + offset[1][i];
        }
        plane(setup_.inv_w, x, y, inv_w);
        input(io, x, y, inv_w, out);
    }
    void load_sysval(ir::Sysval v, unsigned component, ir::Type, Word* out) override;
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask mask, const Word* value) override {
        std::byte* const row = reinterpret_cast<std::byte*>(&args_) + output_offset_B(io.slot, io.component);
        float* const out = reinterpret_cast<float*>(row) + size_t(block_) * kLanes;
        for (unsigned i = 0; i < kLanes; ++i)
            if (mask >> i & 1) std::memcpy(&out[i], &value[i], sizeof(float));
    }

  private:
    void input(const ir::IoInfo& io, const float* x, const float* y, const float* inv_w, Word* out) const {
        const Plane& p = setup_.varyings[index_of_[io.slot] * 4 + io.component];
        if (io.interp == ir::Interp::Flat) return fill_row(out, p.a0);
        float v[kLanes];
        plane(p, x, y, v);
        if (io.interp == ir::Interp::Smooth)
            for (unsigned i = 0; i < kLanes; ++i)
                v[i] = v[i] * (1.0f / inv_w[i]);
        copy_row(out, v);
    }
    void plane(const Plane& p, const float* x, const float* y, float* out) const {
        for (unsigned i = 0; i < kLanes; ++i) {
            const float across = (x[i] - setup_.x0) * p.dadx, up = (y[i] - setup_.y0) * p.dady;
            out[i] = (p.a0 + across) + up;
        }
    }
    FragmentArgs& args_;
    const uint32_t block_;
    const PrimitiveSetup& setup_;
    float x_[kLanes], y_[kLanes], inv_w_[kLanes] = {};
    uint8_t index_of_[64] = {};
    unsigned point_coord_;
};

void FragmentEnv::load_sysval(ir::Sysval sysval, unsigned component, ir::Type, Word* out) {
    if (const int target = last_color(unsigned(sysval)); target >= 0)
        return copy_row(out, &args_.color[target][component][size_t(block_) * kLanes]);
    float v[kLanes];
    switch (sysval) {
        case ir::Sysval::FragCoord:
            if (component == 0) return copy_row(out, x_);
            if (component == 1) return copy_row(out, y_);
            if (component == 3) return copy_row(out, inv_w_);
            plane(setup_.z, x_, y_, v);
            return copy_row(out, v);
        case ir::Sysval::PointCoord:
            plane(setup_.varyings[point_coord_ + component], x_, y_, v);
            return copy_row(out, v);
        case ir::Sysval::FrontFacing:
            return fill_row(out, Word(setup_.front_facing));
        case ir::Sysval::SamplePos:
            return fill_row(out, args_.centre[component & 1]);
        case ir::Sysval::SampleMaskIn:
            return copy_row(out, &args_.coverage[size_t(block_) * kLanes]);
        case ir::Sysval::SampleId:
            return fill_row(out, args_.sample_id);
        case ir::Sysval::NumSamples:
            return fill_row(out, args_.num_samples);
        case ir::Sysval::SamplePositions:
            return fill_row(out, args_.sample_positions[component & 1]);
        case ir::Sysval::HelperInvocation:
            for (unsigned i = 0; i < kLanes; ++i)
                out[i] = uint32_t(~args_.mask[block_]) >> i & 1;
            return;
        case ir::Sysval::VertexId:
        case ir::Sysval::InstanceId:
        case ir::Sysval::BaseVertex:
        case ir::Sysval::BaseInstance:
        case ir::Sysval::DrawId:
        case ir::Sysval::PrimitiveId:
        case ir::Sysval::InvocationId:
        case ir::Sysval::PatchVertices:
        case ir::Sysval::TessCoord:
        case ir::Sysval::WorkGroupId:
        case ir::Sysval::LocalInvocationId:
        case ir::Sysval::LocalInvocationIndex:
        case ir::Sysval::NumWorkGroups:
        case ir::Sysval::LastColor0:
        case ir::Sysval::LastColor7:
            break;
    }
    fill_row(out, 0u);
}

class ComputeEnv final : public SoftEnv {
  public:
    /// For kLanes invocations from `first` on.
    ComputeEnv(const InterpShader& s, ComputeArgs& a, uint32_t first)
        : SoftEnv(s, a), args_(a), first_(first) {}
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        return space == ir::Storage::Shared ? std::span(&args_.shared, 1) : SoftEnv::slots(space);
    }
    void barrier(const ir::MemInfo& info) override {
        if (info.execution != ir::MemScope::None) wait_at_barrier(&args_);
    }
    void load_input(const ir::IoInfo&, ir::Type, const Word*, Word* out) override { fill_row(out, 0u); }
    void store_output(const ir::IoInfo&, ir::Type, ir::InterpMask, const Word*) override {}
    void load_sysval(ir::Sysval v, unsigned component, ir::Type, Word* out) override {
        if (v == ir::Sysval::LocalInvocationId) return copy_row(out, args_.ids[component] + first_);
        if (v == ir::Sysval::LocalInvocationIndex) return copy_row(out, args_.ids[3] + first_);
        if (v == ir::Sysval::WorkGroupId) return fill_row(out, args_.group[component]);
        fill_row(out, v == ir::Sysval::NumWorkGroups ? args_.groups[component] : 0u);
    }

  private:
    ComputeArgs& args_;
    const uint32_t first_;
};

/// When the budget is used up, outputs have the values stored so far.
void run_in_budget(const InterpShader& s, ir::InterpState& state, SoftEnv& env, uint32_t mask, Watch& watch) {
    const auto status = ir::run(*s.program, state, env, mask, is_stopped(watch) ? 1 : kLoopBudget);
    if (status == ir::InterpStatus::OutOfBudget) stop(watch);
}

void run_vertex(const VertexArgs* args) {
    const auto& s = *static_cast<const InterpShader*>(args->shader);
    auto state = s.take();
    for (uint32_t first = 0; first < args->count; first += kLanes) {
        VertexEnv env(s, *args, first);
        // Vertices beyond the last one have outputs, too, but write no memory.
        const uint32_t lanes = s.writes_memory ? std::min(kLanes, args->count - first) : kLanes;
        run_in_budget(s, *state, env, (1u << lanes) - 1, *args->watch);
    }
    s.give_back(std::move(state));
}

/// Outputs that the shader leaves unwritten are 0, as in compiled code.
void clear_outputs(const CompiledShader& s, FragmentArgs* args, uint32_t block) {
    const size_t first = size_t(block) * kLanes;
    for (unsigned slot = 0; slot <= unsigned(ir::FragSlot::Second); ++slot) {
        const unsigned row = color_row(slot);
        // The buffers' values are there for the shader to read; such shaders store whole colours.
        if (row >= kColorRows || !(s.outputs_written >> slot & 1) || s.colors_read >> row & 1) continue;
        for (unsigned c = 0; c < 4; ++c)
            std::fill_n(&args->color[row][c][first], kLanes, 0.0f);
    }
    if (s.writes_depth) std::fill_n(&args->depth[first], kLanes, 0.0f);
    if (s.writes_sample_mask) std::fill_n(&args->sample_mask[first], kLanes, 0u);
}

void run_fragment(FragmentArgs* args) {
    const auto& s = *static_cast<const InterpShader*>(args->shader);
    auto state = s.take();
    for (uint32_t block = 0; block < args->count; ++block) {
        if (!args->mask[block]) continue;
        clear_outputs(s, args, block);
        FragmentEnv env(s, *args, block);
        run_in_budget(s, *state, env, args->mask[block], *args->watch);
        args->mask[block] &= uint8_t(~state->discarded());
    }
    s.give_back(std::move(state));
}

void run_compute(ComputeArgs* args) {
    const auto& s = *static_cast<const InterpShader*>(args->shader);
    auto state = s.take();
    for (uint32_t first = 0; first < args->count; first += kLanes) {
        ComputeEnv env(s, *args, first);
        run_in_budget(s, *state, env, (1u << std::min(kLanes, args->count - first)) - 1, *args->watch);
    }
    s.give_back(std::move(state));
}

class InterpreterCompiler final : public ShaderCompiler {
  public:
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override {
        return shaders::on_own_stack([&] { return compile_here(shader, log); });
    }
    const char* name() const override { return "interpreter"; }

  private:
    std::unique_ptr<CompiledShader> compile_here(const ir::Shader& shader, const pipe::Log& log) {
        auto out = std::make_unique<InterpShader>();
        const std::unique_ptr<ir::Shader> lowered = lower_for_soft(shader);
        if (const char* problem = describe_shader(*lowered, out.get())) {
            log(pipe::Severity::Error, std::string("soft: ") + problem);
            return nullptr;
        }
        out->stage = shader.stage;
        out->uniform_dw = uniform_size_dw(*lowered);
        out->program = ir::InterpProgram::create(*lowered, kLanes);
        out->self = out.get();
        if (shader.stage == ir::Stage::Vertex) out->vertex = run_vertex;
        if (shader.stage == ir::Stage::Fragment) out->fragment = run_fragment;
        if (ir::is_kernel(shader.stage)) out->compute = run_compute;
        return out;
    }
};

}  // namespace

std::unique_ptr<ShaderCompiler> create_interpreter_compiler() {
    return std::make_unique<InterpreterCompiler>();
}

}  // namespace terrazzo::soft
