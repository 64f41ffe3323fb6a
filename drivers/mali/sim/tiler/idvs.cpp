// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers: hw/cs.rows. Preloaded registers and outputs of shaders (Mesa 25.0.7,
// compiler/bifrost_compile.c): r59 is the index of the vertex's outputs (LEA_BUF of table 61), r60 the
// vertex, r61 the instance, r62 the draw. Positions are in the geometry buffer, 16 bytes each; with point
// sizes ("extended"), those of four vertices follow their four positions.
#include "drivers/mali/sim/tiler/idvs.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "drivers/common/units/setup.h"
#include "drivers/mali/sim/tiler/vertices.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using R = hw::IdvsRegisters;

constexpr size_t kBatchPrimitives = 256;
constexpr uint32_t kPosition_B = 16;
constexpr uint32_t kPositionSlots = 2 * kWarpLanes;
constexpr uint64_t kMaxPrimitives = 1u << 26;

uint32_t position_slot(unsigned i, bool extended) {
    return extended ? i / 4 * 8 + i % 4 : i;
}

}  // namespace

struct Idvs::Draw {
    hw::PrimitiveFlags flags;
    hw::Scissor scissor;
    units::SetupState setup;
    IndexSource indices;
    units::Primitives primitives;
    ShaderState position, varying;
    bool has_varying = false, extended = false, sizes = false;
    uint32_t instances = 0, instance_offset = 0, draw_id = 0, attribute_offset = 0;
    float size_px = 1;
    uint64_t geometry_buffer = 0;
    DrawRecord record;
};

// Up to kBatchPrimitives primitives and their vertices.
struct Idvs::Batch {
    BatchVertices vertices, before;  // of this batch, and of the one before in the same instance
    std::vector<uint32_t> corners;   // of primitives: indices of vertices
    std::vector<uint32_t> unshaded;  // vertices without a position yet
    std::vector<PrimitiveRecord> records;
    std::vector<uint32_t> used;     // vertices with varyings, in the order of the varyings
    std::vector<uint32_t> without;  // those of `used` whose varyings must be shaded: indices into it
    Warp position_warp, varying_warp;

    void collect(const units::Primitives& primitives, size_t first, size_t end, float size_px);
};
static_assert(kBatchPrimitives * 4 <= BatchVertices::kMost);

bool Idvs::decode_shaders(const hw::CsRunIdvs& how, const CsRegisters& r, Draw* d, Fault* fault) {
    ShaderAddresses a{r.pair(R::position_spd), r.pair(R::vertex_srt), 0, r.pair(R::vertex_tsd), 0};
    set_fau(&a, r.pair(R::vertex_fau));
    if (!load_shader(machine_.memory, a, hw::ShaderStage::Vertex, &d->position, fault)) return false;
    d->has_varying = d->flags.secondary_shader;
    if (!d->has_varying) return true;
    a.program = r.pair(R::varying_spd);
    if (how.varying_srt_select) a.resources = r.pair(R::varying_srt);
    if (how.varying_fau_select) set_fau(&a, r.pair(R::varying_fau));
    if (how.varying_tsd_select) a.storage = r.pair(R::varying_tsd);
    return load_shader(machine_.memory, a, hw::ShaderStage::Vertex, &d->varying, fault);
}

bool Idvs::decode(const hw::CsRunIdvs& how, const CsRegisters& r, TilerMemory& memory, Draw* d,
                  Fault* fault) {
    const uint32_t primitive_flags = r.r[R::primitive_flags] | how.flags_override;
    hw::DcdFlags0 flags_0;
    if (!take_struct(&primitive_flags, &d->flags, "primitive flags", fault) ||
        !take_struct(&r.r[R::dcd_flags_0], &flags_0, "DCD flags 0", fault) ||
        !take_struct(&r.r[R::scissor], &d->scissor, "scissor", fault))
        return false;
    if (!how.malloc_enable) return report(fault, "RUN_IDVS without memory allocation is not executed");
    if (d->flags.layer_index_enable || d->flags.view_mask || d->flags.scissor_array_enable ||
        d->flags.primitive_index_enable)
        return report(fault, "layers, views, scissor arrays and primitive indices are not executed");
    if (!decode_shaders(how, r, d, fault)) return false;
    const hw::TilerContext& context = memory.context();
    units::SetupState& s = d->setup;
    s.cull_front = flags_0.cull_front_face;
    s.cull_back = flags_0.cull_back_face;
    // For images with row 0 on top: Mesa's panfrost inverts the flag for images with row 0 at the bottom.
    s.front_ccw = flags_0.front_face_ccw;
    s.low_depth_cull = d->flags.low_depth_cull;
    s.high_depth_cull = d->flags.high_depth_cull;
    s.low_depth = std::bit_cast<float>(r.r[R::low_depth_clamp]);
    s.high_depth = std::bit_cast<float>(r.r[R::high_depth_clamp]);
    s.scissor = {int32_t(d->scissor.scissor_minimum_x), int32_t(d->scissor.scissor_minimum_y),
                 int32_t(std::min(d->scissor.scissor_maximum_x + 1, context.fb_width)),
                 int32_t(std::min(d->scissor.scissor_maximum_y + 1, context.fb_height))};
    d->indices = {d->flags.index_type,       r.pair(R::indices),   r.r[R::index_array_size],
                  r.r[R::index_count],       r.r[R::index_offset], int32_t(r.r[R::vertex_offset]),
                  d->flags.primitive_restart};
    d->instances = r.r[R::instance_count];
    d->instance_offset = r.r[R::instance_offset];
    d->attribute_offset = r.r[R::global_attribute_offset];
    if (how.draw_id_register_enable) d->draw_id = r.r[how.draw_id % kCsRegisters];
    d->extended = d->flags.position_fifo_format == hw::FifoFormat::Extended;
    d->sizes = d->flags.point_size_array_format != hw::PointSizeArrayFormat::None &&
               d->flags.draw_mode == hw::DrawMode::Points;
    if (d->sizes && !d->extended) return report(fault, "point sizes without the extended position format");
    d->size_px = std::bit_cast<float>(r.r[R::primitive_size]);
    d->geometry_buffer = context.geometry_buffer;
    if (context.geometry_buffer_size < kPositionSlots * kPosition_B)
        return report(fault, "the tiler context's geometry buffer has only " +
                                 std::to_string(context.geometry_buffer_size) + " bytes");
    if (d->indices.count > kMaxPrimitives) return report(fault, "more than 2^26 indices in a draw");
    DrawRecord& rec = d->record;
    rec.number = machine_.draws;
    // Without its own fragment_srt, a fragment shader uses the vertex shader's tables.
    rec.fragment_srt = r.pair(how.fragment_srt_select ? R::fragment_srt : R::vertex_srt);
    rec.fragment_tsd = r.pair(how.fragment_tsd_select ? R::fragment_tsd : R::vertex_tsd);
    rec.fragment_fau = r.pair(R::fragment_fau);
    rec.fragment_spd = r.pair(R::fragment_spd);
    rec.blend = r.pair(R::blend);
    rec.depth_stencil = r.pair(R::depth_stencil);
    rec.occlusion = r.pair(R::occlusion);
    rec.flags_0 = r.r[R::dcd_flags_0];
    rec.flags_1 = r.r[R::dcd_flags_1];
    rec.flags_2 = r.r[R::dcd_flags_2];
    rec.primitive_flags = primitive_flags;
    std::copy_n(&r.r[R::scissor], 2, rec.scissor);
    rec.low_depth_clamp = s.low_depth;
    rec.high_depth_clamp = s.high_depth;
    rec.varying_size_B = d->has_varying ? r.r[R::varying_size] : 0;
    rec.first_provoking_vertex = context.first_provoking_vertex;
    if (!load_primitives(machine_.memory, d->flags.draw_mode, d->indices, context.first_provoking_vertex,
                         &d->primitives, fault))
        return false;
    s.kind = d->primitives.kind;
    return true;
}

bool Idvs::run_warp(const Draw& d, const ShaderState& shader, Warp& warp, const uint32_t* ids,
                    const uint32_t* slots, unsigned count, uint32_t instance, Fault* fault) {
    begin_run(&warp);
    U32 id{}, slot{};
    for (unsigned i = 0; i < count; ++i) {
        id[i] = ids[i];
        slot[i] = slots[i];
    }
    preload(shader, &warp, 59, slot);
    preload(shader, &warp, 60, id);
    preload(shader, &warp, 61, wave::splat(instance + d.instance_offset));
    preload(shader, &warp, 62, wave::splat(d.draw_id));
    Core::start(warp, shader.program.binary, count == kWarpLanes ? 0xffff : (1u << count) - 1);
    CoreFault core_fault;
    if (core_.run(warp, &core_fault) == Outcome::Done) return true;
    return report(fault, to_string(core_fault, shader.program.binary));
}

void Idvs::Batch::collect(const units::Primitives& primitives, size_t first, size_t end, float size_px) {
    std::swap(vertices, before);
    vertices.clear();
    corners.clear();
    unshaded.clear();
    for (size_t i = first * primitives.corners; i < end * primitives.corners; ++i) {
        const uint32_t id = primitives.vertices[i];
        bool added = false;
        const uint32_t index = vertices.find_or_add(id, &added);
        corners.push_back(index);
        if (!added) continue;
        const uint32_t known = before.find(id);
        if (known == BatchVertices::kNone) unshaded.push_back(index);
        vertices.positions.push_back(known == BatchVertices::kNone ? WindowVertex{}
                                                                   : before.positions[known]);
        vertices.sizes.push_back(known == BatchVertices::kNone ? size_px : before.sizes[known]);
    }
    vertices.varying.assign(vertices.ids.size(), BatchVertices::kNone);
}

bool Idvs::shade_positions(const Draw& d, uint32_t instance, Batch* b, Fault* fault) {
    Stage stage{StageKind::Vertex, &d.position,    d.geometry_buffer,
                kPosition_B,       kPositionSlots, d.attribute_offset};
    Warp& warp = b->position_warp;
    warp.stage = &stage;
    uint32_t ids[kWarpLanes], slots[kWarpLanes];
    for (unsigned i = 0; i < kWarpLanes; ++i)
        slots[i] = position_slot(i, d.extended);
    for (size_t at = 0; at < b->unshaded.size(); at += kWarpLanes) {
        const unsigned n = unsigned(std::min<size_t>(kWarpLanes, b->unshaded.size() - at));
        for (unsigned i = 0; i < n; ++i)
            ids[i] = b->vertices.ids[b->unshaded[at + i]];
        if (!run_warp(d, d.position, warp, ids, slots, n, instance, fault)) {
            prefix(fault, "position shader");
            return false;
        }
        if (!read_positions(d, &b->unshaded[at], n, &b->vertices, fault)) return false;
    }
    return true;
}

bool Idvs::read_positions(const Draw& d, const uint32_t* vertices, unsigned count, BatchVertices* out,
                          Fault* fault) {
    uint8_t raw[kPositionSlots * kPosition_B];
    if (!machine_.memory.read(d.geometry_buffer, raw, sizeof(raw)))
        return report_access(fault, machine_.memory, "geometry buffer");
    for (unsigned i = 0; i < count; ++i) {
        const uint8_t* at = raw + position_slot(i, d.extended) * kPosition_B;
        std::memcpy(&out->positions[vertices[i]], at, sizeof(WindowVertex));
        if (!d.sizes) continue;
        uint32_t word;
        std::memcpy(&word, at + 4 * kPosition_B, 4);
        out->sizes[vertices[i]] = d.flags.point_size_array_format == hw::PointSizeArrayFormat::Fp16
                                      ? pipe::half_to_float(uint16_t(word))
                                      : std::bit_cast<float>(word);
    }
    return true;
}

// Creates records of the visible primitives of [first, end) and collects their vertices.
void Idvs::set_up(const Draw& d, size_t first, size_t end, Batch* b) {
    b->records.clear();
    b->used.clear();
    const unsigned n = d.primitives.corners;
    for (size_t p = first; p < end; ++p) {
        const uint32_t* corner = &b->corners[(p - first) * n];
        WindowVertex v[3];
        for (unsigned i = 0; i < n; ++i)
            v[i] = b->vertices.positions[corner[i]];
        const size_t before = b->records.size();
        units::set_up_primitive(d.setup, v, b->vertices.sizes[corner[0]], &b->records);
        if (b->records.size() == before) continue;
        uint32_t varying[3] = {};
        for (unsigned i = 0; i < n; ++i) {
            uint32_t& at = b->vertices.varying[corner[i]];
            if (at == BatchVertices::kNone) {
                at = uint32_t(b->used.size());
                b->used.push_back(corner[i]);
            }
            varying[i] = at;
        }
        for (size_t i = before; i < b->records.size(); ++i)
            std::copy_n(varying, 3, b->records[i].varying);
    }
}

// Copies the varyings that the batch before has, and collects the vertices that are left.
void Idvs::copy_varyings(uint32_t size_B, Batch* b) {
    Window& m = machine_.memory;
    uint8_t* const to = m.at(b->vertices.varyings, uint64_t(size_B) * b->used.size(), Access::Write);
    for (uint32_t i = 0; i < b->used.size(); ++i) {
        const uint32_t known = b->before.find(b->vertices.ids[b->used[i]]);
        const uint32_t varying = known == BatchVertices::kNone ? known : b->before.varying[known];
        const uint8_t* from = nullptr;
        if (varying != BatchVertices::kNone && to)
            from = m.at(b->before.varyings + uint64_t(varying) * size_B, size_B, Access::Read);
        if (from)
            std::memcpy(to + size_t(i) * size_B, from, size_B);
        else
            b->without.push_back(i);
    }
}

bool Idvs::shade_varyings(const Draw& d, uint32_t instance, Batch* b, Fault* fault) {
    const uint32_t size_B = d.record.varying_size_B;
    b->without.clear();
    copy_varyings(size_B, b);
    Stage stage{StageKind::Vertex,        &d.varying,        b->vertices.varyings, size_B,
                uint32_t(b->used.size()), d.attribute_offset};
    Warp& warp = b->varying_warp;
    warp.stage = &stage;
    for (size_t at = 0; at < b->without.size(); at += kWarpLanes) {
        uint32_t ids[kWarpLanes];
        const unsigned n = unsigned(std::min<size_t>(kWarpLanes, b->without.size() - at));
        for (unsigned i = 0; i < n; ++i)
            ids[i] = b->vertices.ids[b->used[b->without[at + i]]];
        if (!run_warp(d, d.varying, warp, ids, &b->without[at], n, instance, fault)) {
            prefix(fault, "varying shader");
            return false;
        }
    }
    return true;
}

JobStatus Idvs::write(const Draw& d, uint32_t instance, TilerMemory& memory, uint64_t* draw_va, Batch* b,
                      Fault* fault) {
    if (b->records.empty()) return JobStatus::Done;
    const auto align = [](uint64_t v) { return (v + 63) & ~uint64_t(63); };
    // Allocated as one block, so that all of it exists or none.
    const uint64_t draw_B = *draw_va ? 0 : align(sizeof(DrawRecord)),
                   segment_B = align(sizeof(SegmentRecord));
    const uint64_t records_B = align(b->records.size() * sizeof(PrimitiveRecord));
    const uint64_t varyings_B = uint64_t(d.record.varying_size_B) * b->used.size();
    uint64_t va = 0;
    if (const JobStatus s = memory.allocate(draw_B + segment_B + records_B + varyings_B, &va, fault);
        s != JobStatus::Done)
        return s;
    SegmentRecord segment;
    if (draw_B) *draw_va = va;
    segment.draw = *draw_va;
    segment.primitives = va + draw_B + segment_B;
    segment.varyings = segment.primitives + records_B;
    segment.primitive_count = uint32_t(b->records.size());
    segment.varying_count = uint32_t(b->used.size());
    Window& m = machine_.memory;
    if (!m.write(*draw_va, &d.record, sizeof(d.record)) || !m.write(va + draw_B, &segment, sizeof(segment)) ||
        !m.write(segment.primitives, b->records.data(), b->records.size() * sizeof(PrimitiveRecord)))
        return report_access(fault, m, "tiler heap"), JobStatus::Fault;
    b->vertices.varyings = segment.varyings;
    if (d.has_varying && !shade_varyings(d, instance, b, fault)) return JobStatus::Fault;
    return memory.append_segment(va + draw_B, fault) ? JobStatus::Done : JobStatus::Fault;
}

JobStatus Idvs::run(const hw::CsRunIdvs& how, const CsRegisters& registers, HeapUse& heap,
                    DrawProgress* progress, Fault* fault) {
    Draw d;
    TilerMemory memory(machine_, heap);
    if (!memory.open(registers.pair(R::tiler_context), fault) || !decode(how, registers, memory, &d, fault))
        return JobStatus::Fault;
    uint64_t draw_va = 0;
    Batch b;
    set_shader(d.position, kVertexWarpSlot, &b.position_warp);
    set_shader(d.varying, kVertexWarpSlot, &b.varying_warp);
    const size_t count = d.primitives.count();
    const uint32_t instances = count ? d.instances : 0;
    for (; progress->instance < instances; progress->instance++, progress->primitive = 0) {
        b.vertices.clear();
        while (progress->primitive < count) {
            if (machine_.host.should_stop()) return JobStatus::Stopped;
            const size_t first = progress->primitive, end = std::min(count, first + kBatchPrimitives);
            b.collect(d.primitives, first, end, d.size_px);
            if (!shade_positions(d, progress->instance, &b, fault)) return failed(machine_.host);
            set_up(d, first, end, &b);
            if (const JobStatus s = write(d, progress->instance, memory, &draw_va, &b, fault);
                s != JobStatus::Done)
                return s;
            progress->primitive = uint32_t(end);
        }
    }
    return memory.close(fault) ? JobStatus::Done : JobStatus::Fault;
}

}  // namespace terrazzo::mali::sim
