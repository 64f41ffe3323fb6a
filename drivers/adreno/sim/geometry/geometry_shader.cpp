// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/geometry_shader.h"

#include <algorithm>
#include <string>

#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMostBlocks = 64;                // 6 bits of the header
constexpr uint32_t kLocal_B = 16384, kUnit_B = 16;  // PC_PRIMITIVE_CNTL_6 counts vectors
constexpr uint32_t kVertexAt = 6, kInvocationAt = 11, kThreadAt = 16;
constexpr uint32_t kBeginsStrip = 4, kStream = 3;

}  // namespace

bool GeometryShader::init(Machine& machine, unsigned corners, bool behind_domain, Fault* fault) {
    if (!program_.init(machine, Stage::Geometry, false, fault)) return false;
    RegisterReader in(machine.registers, fault);
    first_provoking_ = !in.get<hw::PC_PRIMITIVE_CNTL_0>().value.provoking_vtx_last;
    const auto control = in.get<hw::PC_PRIMITIVE_CNTL_5>().value;
    const uint32_t primitive_B = in.get<hw::PC_PRIMITIVE_CNTL_6>().stride_in_vpc * kUnit_B;
    in.get<hw::SP_GS_PRIM_SIZE>();  // must be there
    const bool enabled = in.get<hw::SP_GS_CONFIG>().value.enabled;
    primitive_reg_ = uint8_t(in.get<hw::VFD_CONTROL_1>().regid4primid);
    header_reg_ = uint8_t(in.get<hw::VFD_CONTROL_5>().regid_gsheader);
    if (!in) return false;
    if (!enabled) return fail(fault, "SP_GS_CONFIG: no geometry shader");
    corners_ = corners;
    behind_domain_ = behind_domain;
    vertices_ = control.gs_vertices_out + 1;
    invocations_ = control.gs_invocations + 1;
    kind_ = control.gs_output == hw::TessOutput::TESS_POINTS  ? units::PrimitiveKind::Point
            : control.gs_output == hw::TessOutput::TESS_LINES ? units::PrimitiveKind::Line
                                                              : units::PrimitiveKind::Triangle;
    blocks_ = primitive_B ? std::clamp(kLocal_B / primitive_B, 1u, kMostBlocks) : kMostBlocks;
    local_.assign(size_t(blocks_) * primitive_B, 0);
    return true;
}

// Lanes of a block without a vertex of their own get the inputs of the first one: they do not run, but have
// the primitive's id.
bool GeometryShader::start_wave(Machine& machine, VertexMaker& maker, const PrimitiveList& in, Wave* wave,
                                Fault* fault) const {
    alignas(64) uint32_t header[kGeometryLanes] = {}, id[kGeometryLanes] = {};
    uint32_t which[kGeometryLanes];
    std::fill_n(which, kGeometryLanes, in.vertices[size_t(wave_blocks_[0].primitive) * corners_]);
    wave->lanes = {};
    for (unsigned b = 0; b < wave_blocks_.size(); ++b) {
        const Block& block = wave_blocks_[b];
        const uint32_t* corner = &in.vertices[size_t(block.primitive) * corners_];
        for (unsigned k = 0; k < block.lanes; ++k) {
            const unsigned lane = block.lane + k, thread = block.thread + k;
            id[lane] = in.ids[block.primitive];
            which[lane] = corner[k < corners_ ? k : 0];
            header[lane] = b;
            if (k < corners_) {
                header[lane] |= k << kVertexAt;
                wave->lanes.set(lane);
            }
            if (k < block.threads)
                header[lane] |= thread / vertices_ << kInvocationAt | thread % vertices_ << kThreadAt;
        }
    }
    wave->helpers = wave->killed = {};
    wave->forget_registers();
    return maker.load(machine.uche, which, kGeometryLanes, wave, fault) &&
           place_words(header_reg_, header, kGeometryLanes, wave, "the geometry shader's header", fault) &&
           (behind_domain_ || place_words(primitive_reg_, id, kGeometryLanes, wave,
                                          "the geometry shader's primitive id", fault));
}

void GeometryShader::end_strip(const PrimitiveList& in, PrimitiveList* out) {
    if (strip_.vertices.empty()) return;
    strip_run_.ids.swap(strip_.vertices);
    units::assemble_primitives(kind_ == units::PrimitiveKind::Point  ? units::Topology::Points
                               : kind_ == units::PrimitiveKind::Line ? units::Topology::LineStrip
                                                                     : units::Topology::TriangleStrip,
                               first_provoking_, strip_run_, &assembled_);
    strip_run_.ids.swap(strip_.vertices);
    strip_.vertices.clear();
    out->corners = assembled_.corners;
    out->vertices.insert(out->vertices.end(), assembled_.vertices.begin(), assembled_.vertices.end());
    out->numbers.insert(out->numbers.end(), assembled_.count(), in.numbers[strip_.primitive]);
    out->ids.insert(out->ids.end(), assembled_.count(), in.ids[strip_.primitive]);
    out->streams.insert(out->streams.end(), assembled_.count(), strip_.stream);
}

// Collects the vertices of an ended wave's lanes, in order.
void GeometryShader::collect(const Wave& wave, const StageOutputs& stage_outputs, const PrimitiveList& in,
                             VertexOutputs* outputs, PrimitiveList* out) {
    const size_t stride = stage_outputs.stride();
    for (const Block& block : wave_blocks_)
        for (unsigned k = 0; k < block.threads; ++k) {
            const unsigned lane = block.lane + k, invocation = (block.thread + k) / vertices_;
            if (wave.killed.has(lane)) continue;
            uint32_t flags = 0;
            (void)wave.get(stage_outputs.flags(), false, lane, &flags);  // run_wave() has checked it
            const uint8_t stream = flags & kStream;
            if (flags & kBeginsStrip || strip_.primitive != block.primitive ||
                strip_.invocation != invocation || strip_.stream != stream)
                end_strip(in, out);
            strip_.primitive = block.primitive;
            strip_.invocation = invocation;
            strip_.stream = stream;
            strip_.vertices.push_back(uint32_t(stride ? outputs->values.size() / stride : 0));
            outputs->values.insert(outputs->values.end(), &wave_values_[lane * stride],
                                   &wave_values_[lane * stride] + stride);
        }
}

bool GeometryShader::run_wave(Machine& machine, WaveRunner& runner, VertexMaker& maker,
                              const PrimitiveList& in, const StageOutputs& stage_outputs, Wave& wave,
                              VertexOutputs* outputs, PrimitiveList* out, Fault* fault) {
    wave.shared = local_;
    if (!start_wave(machine, maker, in, &wave, fault)) return false;
    vertices_run_ += wave.lanes.count();
    if (!maker.program().run(runner, wave, false, fault)) return false;
    wave.lanes = {};
    unsigned used = 0;
    for (const Block& block : wave_blocks_) {
        for (unsigned k = 0; k < block.threads; ++k)
            wave.lanes.set(block.lane + k);
        used = block.lane + block.lanes;
    }
    if (!program_.run(runner, wave, true, fault)) return false;
    if (!(wave.lanes & ~wave.killed).any()) return true;
    wave_values_.assign(size_t(kGeometryLanes) * stage_outputs.stride() + 1, 0);
    const isa::Reg flags = stage_outputs.flags();
    uint32_t value;
    if (!wave.get(flags, false, 0, &value))
        return fail(fault, "SP_GS_PRIMITIVE_CNTL: no register has the vertices' flags");
    if (!wave.arrived(flags, false))
        return fail(fault, FaultKind::Shader,
                    "geometry shader: it ends before the register of its vertices' flags has its result");
    if (!stage_outputs.read(wave, used, wave_values_.data(), fault)) return false;
    collect(wave, stage_outputs, in, outputs, out);
    return true;
}

bool GeometryShader::run(Machine& machine, WaveRunner& runner, VertexMaker& maker, const PrimitiveList& in,
                         size_t first, size_t end, const StageOutputs& stage_outputs, Wave& wave,
                         VertexOutputs* outputs, PrimitiveList* out, Fault* fault) {
    outputs->words = stage_outputs.stride();
    outputs->values.clear();
    out->clear();
    out->corners = units::corners_of(kind_);
    strip_ = {};
    wave_blocks_.clear();
    unsigned used = 0;
    const auto flush = [&] {
        const bool good = wave_blocks_.empty() ||
                          run_wave(machine, runner, maker, in, stage_outputs, wave, outputs, out, fault);
        wave_blocks_.clear();
        used = 0;
        return good;
    };
    const unsigned total = most_vertices();
    for (uint32_t p = uint32_t(first); p < end; ++p)
        for (unsigned thread = 0; thread < total;) {
            // A primitive that fits into a wave is not divided; for a larger one, each wave makes the
            // vertices again.
            const unsigned wanted = std::max(corners_, total - thread), room = kGeometryLanes - used;
            if (wave_blocks_.size() == blocks_ || room < corners_ || (wanted > room && used != 0)) {
                if (!flush()) return false;
                continue;
            }
            const unsigned lanes = std::min(wanted, room), threads = std::min(lanes, total - thread);
            wave_blocks_.push_back({p, used, lanes, thread, threads});
            used += lanes;
            thread += threads;
        }
    const bool good = flush();
    if (good) end_strip(in, out);
    wave.shared = {};
    return good;
}

}  // namespace terrazzo::adreno::sim
