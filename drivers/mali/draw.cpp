// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws: what changed is packed into pool memory and registers, then RUN_IDVS. Facts: Mesa 25.0.7, pan_csf.c;
// hw/cs.rows (IdvsRegisters).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/mali/context.h"
#include "drivers/mali/target.h"
#include "pipe/primitives.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali {

namespace {

using R = hw::IdvsRegisters;

// What a vertex may take of the tiler's heap beside its varyings. Not known of hardware; whoever compares it
// with the heap's size leaves room for four times as much.
constexpr uint64_t kHeapPerVertex_B = 128;
constexpr unsigned kTables = 5, kTables_B = 96;  // the tables, to where 32-byte descriptors may follow

template <class T>
uint32_t word_of(const T& s) {
    uint32_t w;
    hw::pack(s, &w);
    return w;
}

hw::DrawMode mode_of(pipe::Primitive p) {
    switch (p) {
        case pipe::Primitive::Points:
            return hw::DrawMode::Points;
        case pipe::Primitive::Lines:
            return hw::DrawMode::Lines;
        case pipe::Primitive::LineLoop:
            return hw::DrawMode::LineLoop;
        case pipe::Primitive::LineStrip:
            return hw::DrawMode::LineStrip;
        case pipe::Primitive::Triangles:
            return hw::DrawMode::Triangles;
        case pipe::Primitive::TriangleStrip:
            return hw::DrawMode::TriangleStrip;
        case pipe::Primitive::TriangleFan:
            return hw::DrawMode::TriangleFan;
        default:
            return hw::DrawMode::None;
    }
}

hw::IndexType index_type_of(pipe::IndexType t) {
    switch (t) {
        case pipe::IndexType::U8:
            return hw::IndexType::Uint8;
        case pipe::IndexType::U16:
            return hw::IndexType::Uint16;
        case pipe::IndexType::U32:
            return hw::IndexType::Uint32;
        case pipe::IndexType::None:
            break;
    }
    return hw::IndexType::None;
}

int32_t to_px(float v) {
    return int32_t(std::lrint(std::clamp(v, -32768.0f, 32767.0f)));
}

/// The least and the greatest index of a range, as the CPU sees them. False: there is none.
bool index_bounds(const pipe::DrawInfo& info, const pipe::DrawRange& range, int64_t* first, int64_t* last) {
    if (info.index_bounds_valid) {
        *first = info.min_index;
        *last = info.max_index;
        return true;
    }
    const MaliResource& r = mali(*info.index_buffer);
    const unsigned size_B = info.index_type == pipe::IndexType::U8    ? 1
                            : info.index_type == pipe::IndexType::U16 ? 2
                                                                      : 4;
    const uint32_t restart = size_B == 4 ? ~0u : (1u << 8 * size_B) - 1;
    *first = INT64_MAX;
    *last = -1;
    for (uint64_t i = 0; i < range.count; ++i) {
        const uint64_t at = info.index_offset_B + (range.first + i) * size_B;
        if (at + size_B > r.layout.size_B) break;
        uint32_t index = 0;
        std::memcpy(&index, r.cpu() + at, size_B);
        if (info.primitive_restart && index == restart) continue;
        *first = std::min<int64_t>(*first, index);
        *last = std::max<int64_t>(*last, index);
    }
    return *last >= 0;
}

void put_table(uint8_t* tables, compiler::Table t, uint64_t va, uint32_t size_B) {
    hw::Resource r;
    r.address = va;
    r.size = size_B;
    r.contains_descriptors = size_B != 0;
    hw::pack(r, reinterpret_cast<uint32_t*>(tables + 16 * unsigned(t)));
}

}  // namespace

bool MaliContext::drawable(const pipe::DrawInfo& info) const {
    if (!in_pass_) {
        log_(pipe::Severity::Error, "mali: draw outside a render pass");
        return false;
    }
    if (info.indirect.resource) {
        unsupported("an indirect draw");
        return false;
    }
    if (mode_of(info.mode) == hw::DrawMode::None) {
        unsupported("an adjacency primitive or a patch");
        return false;
    }
    // Without a program or a position nothing is defined to appear.
    return program_ && program_->position.present &&
           (info.index_type == pipe::IndexType::None || info.index_buffer);
}

PixelRect MaliContext::clip_rect() const {
    const float hw = std::abs(viewport_.scale[0]), hh = std::abs(viewport_.scale[1]);
    PixelRect r = {to_px(viewport_.translate[0] - hw), to_px(viewport_.translate[1] - hh),
                   to_px(viewport_.translate[0] + hw), to_px(viewport_.translate[1] + hh)};
    r = intersect(r, pass_.extent());
    if (raster_->desc.scissor) r = intersect(r, {scissor_.x0, scissor_.y0, scissor_.x1, scissor_.y1});
    return r;
}

void MaliContext::update_sysvals() {
    std::copy_n(viewport_.scale, 3, sysvals_.viewport_scale);
    std::copy_n(viewport_.translate, 3, sysvals_.viewport_offset);
    sysvals_.framebuffer_height_px = float(pass_.desc().height);
    const std::span<const pipe::Format> formats = pass_.color_formats();
    for (size_t i = 0; i < formats.size(); ++i)
        if (formats[i] != pipe::Format::None)
            sysvals_.target_conversion[i] = word_of(blend_conversion(formats[i], false, false));
}

uint64_t MaliContext::upload_fau(const ShaderPart& part, unsigned stage) {
    const uint32_t count = part.fau_count();
    if (!count) return 0;
    const Pool::Piece p = recorder_.pool.allocate(count * 8, 8);
    write_fau(part, uniforms_[stage], sysvals_, reinterpret_cast<uint32_t*>(p.cpu));
    return p.va | uint64_t(count) << 56;
}

void MaliContext::pack_program() {
    CsBuilder& b = recorder_.vertex;
    recorder_.hold(*program_);
    if (program_->varying.present) {
        b.set64(R::varying_spd, program_->varying.spd_va());
        b.set32(R::varying_size, program_->varying_B);
    }
    b.set64(R::vertex_tsd, recorder_.local_storage(program_->tls_B));
}

void MaliContext::pack_vertex_fau() {
    CsBuilder& b = recorder_.vertex;
    b.set64(R::vertex_fau, upload_fau(program_->position_part(writes_sizes()), 0));
    if (program_->varying.present) b.set64(R::varying_fau, upload_fau(program_->varying, 0));
}

void MaliContext::pack_fragment_fau() {
    recorder_.vertex.set64(R::fragment_fau, upload_fau(program_->fragment, 1));
}

/// Descriptors of all units up to the last that the program reads; their number.
uint32_t MaliContext::write_textures(unsigned stage, uint8_t* textures, uint8_t* samplers) {
    const Textures& t = textures_[stage];
    const uint32_t count = program_->texture_count[stage];
    for (uint32_t i = 0; i < count; ++i) {
        const bool read = program_->textures[stage] >> i & 1;
        MaliSamplerView& v =
            read && t.views[i]
                ? static_cast<MaliSamplerView&>(*t.views[i])
                : screen_.null_view(program_->cube_textures[stage] >> i & 1     ? ir::TexDim::Cube
                                    : program_->volume_textures[stage] >> i & 1 ? ir::TexDim::D3
                                                                                : ir::TexDim::D2);
        const MaliSampler& s =
            t.samplers[i] ? static_cast<const MaliSampler&>(*t.samplers[i]) : *screen_.default_sampler;
        std::memcpy(textures + i * 32, v.words().data(), 32);
        std::memcpy(samplers + i * 32, s.words.data(), 32);
        if (!read) continue;
        MaliResource& image = v.image();
        if (image.written_by.load(std::memory_order_relaxed) == recorder_.serial())
            pass_.reads_earlier_work();
        recorder_.hold(v);
        recorder_.read(image);
    }
    return count;
}

void MaliContext::pack_vertex_tables() {
    const uint32_t attributes = uint32_t(std::bit_width(program_->attributes));
    const uint32_t plain = attributes ? uint32_t(vertex_buffers_.size()) + 1 : 0;
    const uint32_t buffers = plain + uint32_t(std::popcount(converted_));
    const uint32_t textures = program_->texture_count[0];
    const bool uniforms = program_->reads_uniform_buffer[0];
    const uint32_t uniform_B = uniforms ? (program_->uniform_dw[0] * 4 + 31) & ~31u : 0;
    const uint32_t size_B = kTables_B + 32 * (attributes + buffers + 2 * textures + uniforms) + uniform_B;
    const Pool::Piece p = recorder_.pool.allocate(size_B, 64);
    uint32_t at = kTables_B;
    const auto take = [&](compiler::Table t, uint32_t count) {
        put_table(p.cpu, t, p.va + at, count * 32);
        uint8_t* const out = p.cpu + at;
        at += count * 32;
        return out;
    };
    uint8_t* const uniform_buffer = take(compiler::Table::UniformBuffers, uniforms);
    uint8_t* const attribute_words = take(compiler::Table::Attributes, attributes);
    uint8_t* const buffer_words = take(compiler::Table::AttributeBuffers, buffers);
    uint8_t* const sampler_words = take(compiler::Table::Samplers, textures);
    uint8_t* const texture_words = take(compiler::Table::Textures, textures);
    if (uniforms) write_uniform_buffer(0, p.va + at, p.cpu + at, uniform_buffer);
    if (attributes) {
        write_attributes(*layout_, vertex_buffers_, attributes, screen_.null_attribute_va(),
                         reinterpret_cast<uint32_t*>(attribute_words),
                         reinterpret_cast<uint32_t*>(buffer_words));
        for (const pipe::VertexBuffer& v : vertex_buffers_)
            if (v.resource) recorder_.read(mali(*v.resource));
        if (converted_) convert_attributes(attribute_words, buffer_words, plain);
    }
    if (textures) {
        (void)write_textures(0, texture_words, sampler_words);
        recorder_.await_fragment();
    }
    recorder_.vertex.set64(R::vertex_srt, p.va | kTables);
}

/// Formats and strides that hardware cannot fetch become floats in pool memory, for the vertices of this
/// draw.
void MaliContext::convert_attributes(uint8_t* attribute_words, uint8_t* buffer_words, uint32_t first_buffer) {
    uint32_t buffer = first_buffer;
    for (uint32_t rest = converted_; rest; rest &= rest - 1, ++buffer) {
        const uint32_t location = uint32_t(std::countr_zero(rest));
        const pipe::VertexElement& e = layout_->desc.elements[location];
        const pipe::VertexBuffer& v = vertex_buffers_[e.buffer];
        const MaliResource& r = mali(*v.resource);
        uint32_t first = first_vertex_, count = vertex_count_;
        if (e.divisor) {
            first = first_instance_ / e.divisor;
            count = (first_instance_ + instance_count_ - 1) / e.divisor - first + 1;
        }
        constexpr uint32_t kVertex_B = 16;
        const uint64_t size_B = uint64_t(count) * kVertex_B;
        if (size_B > UINT32_MAX / 2) throw std::bad_alloc();
        const Pool::Piece p = recorder_.pool.allocate(uint32_t(size_B), kVertex_B);
        const uint64_t offset_B = std::min<uint64_t>(v.offset_B, r.layout.size_B);
        convert_vertices(e, r.cpu() + offset_B, r.layout.size_B - offset_B, v.stride_B, first, count,
                         reinterpret_cast<float*>(p.cpu));
        // Element 0 may lie before the piece: nobody reads it.
        const ConvertedAttribute c{p.va - uint64_t(first) * kVertex_B, (first + count) * kVertex_B};
        write_converted_attribute(*layout_, location, c, buffer,
                                  reinterpret_cast<uint32_t*>(attribute_words + location * 32),
                                  reinterpret_cast<uint32_t*>(buffer_words + buffer * 32));
    }
}

bool MaliContext::find_vertices(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    int64_t low = INT64_MAX, high = -1;
    for (const pipe::DrawRange& range : ranges) {
        if (!range.count) continue;
        int64_t first = range.first, last = first + range.count - 1;
        if (info.index_type != pipe::IndexType::None) {
            if (!index_bounds(info, range, &first, &last)) continue;
            first += range.index_bias;
            last += range.index_bias;
        }
        low = std::min(low, first);
        high = std::max(high, last);
    }
    if (high < low || low < 0 || high > INT32_MAX) return false;
    first_vertex_ = uint32_t(low);
    vertex_count_ = uint32_t(high - low + 1);
    instance_count_ = info.instance_count;
    first_instance_ = info.first_instance;
    return info.instance_count != 0;
}

/// The default block in memory, for shaders that index it.
void MaliContext::write_uniform_buffer(unsigned stage, uint64_t va, uint8_t* data, uint8_t* descriptor) {
    const std::vector<uint32_t>& u = uniforms_[stage];
    const uint32_t wanted = program_->uniform_dw[stage];
    const size_t have = std::min<size_t>(u.size(), wanted);
    std::memcpy(data, u.data(), have * 4);
    std::memset(data + have * 4, 0, (wanted - have) * 4);
    hw::Buffer b;
    b.address = va;
    b.size = wanted * 4;
    hw::pack(b, reinterpret_cast<uint32_t*>(descriptor));
}

void MaliContext::pack_fragment_tables() {
    const uint32_t textures = program_->texture_count[1];
    const bool uniforms = program_->reads_uniform_buffer[1];
    const uint32_t uniform_B = uniforms ? (program_->uniform_dw[1] * 4 + 31) & ~31u : 0;
    const Pool::Piece p = recorder_.pool.allocate(kTables_B + 32 * (2 * textures + uniforms) + uniform_B, 64);
    uint32_t at = kTables_B;
    put_table(p.cpu, compiler::Table::UniformBuffers, p.va + at, uniforms * 32);
    uint8_t* const uniform_buffer = p.cpu + at;
    at += uniforms * 32;
    put_table(p.cpu, compiler::Table::Attributes, 0, 0);
    put_table(p.cpu, compiler::Table::AttributeBuffers, 0, 0);
    put_table(p.cpu, compiler::Table::Samplers, p.va + at, textures * 32);
    put_table(p.cpu, compiler::Table::Textures, p.va + at + textures * 32, textures * 32);
    (void)write_textures(1, p.cpu + at + textures * 32, p.cpu + at);
    at += textures * 64;
    if (uniforms) write_uniform_buffer(1, p.va + at, p.cpu + at, uniform_buffer);
    recorder_.vertex.set64(R::fragment_srt, p.va | kTables);
}

void MaliContext::pack_scissor() {
    clip_ = clip_rect();
    if (clip_.empty()) return;
    update_sysvals();
    CsBuilder& b = recorder_.vertex;
    hw::Scissor s;
    s.scissor_minimum_x = uint32_t(clip_.x0);
    s.scissor_minimum_y = uint32_t(clip_.y0);
    s.scissor_maximum_x = uint32_t(clip_.x1 - 1);
    s.scissor_maximum_y = uint32_t(clip_.y1 - 1);
    uint32_t words[2];
    hw::pack(s, words);
    b.set64(R::scissor, words[0] | uint64_t(words[1]) << 32);
    const float z = viewport_.translate[2], half = std::abs(viewport_.scale[2]);
    b.set32(R::low_depth_clamp, std::bit_cast<uint32_t>(std::max(z - half, 0.0f)));
    b.set32(R::high_depth_clamp, std::bit_cast<uint32_t>(std::min(z + half, 1.0f)));
}

void MaliContext::pack_depth_stencil() {
    const Pool::Piece p = recorder_.pool.allocate(hw::DepthStencil::kSize_B, hw::DepthStencil::kAlign_B);
    write_depth_stencil(*depth_stencil_, *raster_, stencil_ref_front_, stencil_ref_back_,
                        pass_.depth_stencil_format(), program_->fragment.info.writes_depth,
                        reinterpret_cast<uint32_t*>(p.cpu));
    recorder_.vertex.set64(R::depth_stencil, p.va);
    const pipe::DepthStencilDesc& d = depth_stencil_->desc;
    if (d.depth_test || d.stencil_test) pass_.use_depth_stencil();
}

void MaliContext::pack_blend() {
    const uint32_t count = pass_.target_count();
    const Pool::Piece p = recorder_.pool.allocate(count * hw::Blend::kSize_B, hw::Blend::kAlign_B);
    blend_summary_ = write_blend(screen_.blend_shaders(), *blend_, pass_.color_formats(), blend_color_,
                                 *program_, reinterpret_cast<uint32_t*>(p.cpu));
    recorder_.vertex.set64(R::blend, p.va | count);
    dirty_ |= kFlags;
}

void MaliContext::pack_flags(PrimitiveClass primitive, bool restart) {
    CsBuilder& b = recorder_.vertex;
    const ShaderPart& fragment = program_->fragment;
    needs_fragment_shader_ = fragment.present && (blend_summary_.targets_written || fragment.info.discards ||
                                                  fragment.info.writes_depth);
    const bool has_zs = pass_.depth_stencil_format() != pipe::Format::None;
    uint32_t flags_0 = primitive == PrimitiveClass::Triangles ? raster_->flags_0 : raster_->flags_0_unculled;
    if (needs_fragment_shader_) {
        flags_0 |= fragment_flags_0(*program_, *depth_stencil_, blend_summary_, has_zs, samples_query_,
                                    blend_->desc.alpha_to_coverage);
    } else {
        flags_0 |= flags_0_without_fragment_shader(pass_.has_color());
    }
    if (samples_query_)
        flags_0 |= word_of(hw::DcdFlags0{.occlusion_query = samples_query_->kind == pipe::QueryKind::Samples
                                                                ? hw::OcclusionMode::Counter
                                                                : hw::OcclusionMode::Predicate});
    b.set32(R::dcd_flags_0, flags_0);
    hw::DcdFlags1 flags_1;
    flags_1.sample_mask = 0xffff;
    if (needs_fragment_shader_) flags_1.render_target_mask = blend_summary_.targets_written;
    b.set32(R::dcd_flags_1, word_of(flags_1));
    b.set64(R::fragment_spd, needs_fragment_shader_ ? fragment.spd_va() : 0);

    const bool sizes = writes_sizes();
    hw::PrimitiveFlags p;
    p.primitive_restart = restart;
    if (sizes) {
        p.point_size_array_format = hw::PointSizeArrayFormat::Fp16;
        p.position_fifo_format = hw::FifoFormat::Extended;
    } else {
        p.position_fifo_format = hw::FifoFormat::Basic;
    }
    b.set32(R::primitive_flags, word_of(p));
    b.set64(R::position_spd, program_->position_part(sizes).spd_va());
    const float size_px =
        primitive == PrimitiveClass::Lines ? raster_->desc.line_width_px : raster_->desc.point_size_px;
    b.set32(R::primitive_size, std::bit_cast<uint32_t>(size_px));
    b.set32(R::primitive_size + 1, 0);

    hw::PrimitiveFlags o;
    o.low_depth_cull = o.high_depth_cull = false;  // only what is added
    o.secondary_shader = program_->varying.present && needs_fragment_shader_;
    flags_override_ = word_of(o);
}

void MaliContext::pack_query() {
    if (!samples_query_) return;
    recorder_.hold_always(samples_query_->memory);
    recorder_.vertex.set64(R::occlusion, samples_query_->memory->block.va);
}

bool MaliContext::prepare(PrimitiveClass primitive, bool restart) {
    if (primitive != primitive_ || restart != restart_) {
        // The two position parts have uniforms of their own.
        const bool points = primitive == PrimitiveClass::Points || primitive_ == PrimitiveClass::Points;
        if (primitive != primitive_ && points && program_->position_no_point_size.present)
            dirty_ |= kVertexFau;
        primitive_ = primitive;
        restart_ = restart;
        dirty_ |= kFlags;
    }
    if (dirty_ & kScissor) clip_ = clip_rect();
    if (clip_.empty() || raster_->desc.discard) return false;
    if (!dirty_) return true;
    recorder_.open_vertex();
    CsBuilder& b = recorder_.vertex;
    // A fresh stream's registers hold nothing.
    if (dirty_ == kAll) {
        b.set32(R::global_attribute_offset, 0);
        b.set32(R::dcd_flags_2, 0);
        b.set64(R::occlusion, 0);
    }
    if (dirty_ & kScissor) pack_scissor();
    if (dirty_ & kPass) b.set64(R::tiler_context, pass_.tiler_context(recorder_));
    if (dirty_ & kProgram) pack_program();
    if (dirty_ & kVertexFau) pack_vertex_fau();
    if (dirty_ & kFragmentFau) pack_fragment_fau();
    if (dirty_ & kVertexTables) pack_vertex_tables();
    if (dirty_ & kFragmentTables) pack_fragment_tables();
    if (dirty_ & kDepthStencil) pack_depth_stencil();
    if (dirty_ & kBlend) pack_blend();
    if (dirty_ & kQuery) pack_query();
    if (dirty_ & kFlags) pack_flags(primitive, restart);
    dirty_ = 0;
    return true;
}

void MaliContext::draw(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    if (!drawable(info)) return;
    for (const pipe::DrawRange& range : ranges)
        primitives_ += uint64_t(pipe::primitive_count(info.mode, range.count)) * info.instance_count;
    const PrimitiveClass primitive = info.mode == pipe::Primitive::Points      ? PrimitiveClass::Points
                                     : info.mode <= pipe::Primitive::LineStrip ? PrimitiveClass::Lines
                                                                               : PrimitiveClass::Triangles;
    if (dirty_ & kVertexTables)
        converted_ = attributes_to_convert(*layout_, vertex_buffers_) & program_->attributes;
    if (converted_) {
        if (!find_vertices(info, ranges)) return;
        dirty_ |= kVertexTables;
    }
    if (!prepare(primitive, info.primitive_restart)) return;
    emit_draws(info, ranges);
}

void MaliContext::emit_draws(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    CsBuilder& b = recorder_.vertex;
    hw::PrimitiveFlags mode;
    mode.low_depth_cull = mode.high_depth_cull = false;
    mode.draw_mode = mode_of(info.mode);
    mode.index_type = index_type_of(info.index_type);
    hw::CsRunIdvs run;
    run.flags_override = flags_override_ | word_of(mode);
    run.malloc_enable = true;
    run.varying_fau_select = run.fragment_srt_select = true;
    b.set32(R::instance_count, info.instance_count);
    b.set32(R::instance_offset, info.first_instance);
    const bool indexed = info.index_type != pipe::IndexType::None;
    if (indexed) {
        MaliResource& r = mali(*info.index_buffer);
        if (info.index_offset_B >= r.layout.size_B) return;
        recorder_.read(r);
        b.set64(R::indices, r.va() + info.index_offset_B);
        b.set32(R::index_array_size,
                uint32_t(std::min<uint64_t>(r.layout.size_B - info.index_offset_B, UINT32_MAX)));
    } else {
        b.set32(R::index_array_size, 0);
    }
    for (const pipe::DrawRange& range : ranges) {
        if (!range.count || !info.instance_count) continue;
        b.set32(R::index_count, range.count);
        b.set32(R::index_offset, indexed ? range.first : 0);
        b.set32(R::vertex_offset, indexed ? uint32_t(range.index_bias) : range.first);
        b.emit(run);
        pass_.touch(clip_);
        pass_.count_draw((program_->varying_B + kHeapPerVertex_B) * uint64_t{range.count} *
                         info.instance_count);
    }
}

}  // namespace terrazzo::mali
