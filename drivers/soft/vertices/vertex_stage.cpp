// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/vertices/vertex_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace terrazzo::soft {

VertexStage::VertexStage()
    : kernels_(select_front()),
      ids_(kPadded),
      slots_(kPadded),
      corners_(3 * kMaxTriangles),
      survivors_(kMaxTriangles),
      window_(kPadded + kSpare),
      inv_w_(kPadded + kSpare) {}

void VertexStage::list_range(uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        ids_[i] = first + i;
    sequential_ = true;
}

/// For ids that are close together.
uint32_t VertexStage::number_by_table(uint32_t count, uint32_t lowest) {
    table_.resize(kTable);
    if (++table_stamp_ > 0xffff) {
        std::fill(table_.begin(), table_.end(), 0);
        table_stamp_ = 1;
    }
    const uint32_t stamp = table_stamp_ << 16;
    uint32_t unique = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t id = ids_[i];
        uint32_t& entry = table_[id - lowest];
        const bool is_new = (entry ^ stamp) > 0xffff;
        ids_[unique] = id;  // unique never exceeds i
        entry = is_new ? stamp | unique : entry;
        unique += is_new;
        slots_[i] = entry & 0xffff;
    }
    return unique;
}

uint32_t VertexStage::number_by_hash(uint32_t count) {
    hash_.resize(kHash);
    hash_slot_.resize(kHash);
    if (++hash_stamp_ == 0) {
        std::fill(hash_.begin(), hash_.end(), 0);
        hash_stamp_ = 1;
    }
    const uint64_t stamp = uint64_t(hash_stamp_) << 32;
    uint32_t unique = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t id = ids_[i];
        uint32_t at = (id * 0x9e3779b1u) >> (32 - kHash_log2);
        while (hash_[at] != (stamp | id)) {
            if (hash_[at] >> 32 != hash_stamp_) {
                hash_[at] = stamp | id;
                hash_slot_[at] = uint16_t(unique);
                ids_[unique++] = id;  // unique never exceeds i
                break;
            }
            at = (at + 1) % kHash;
        }
        slots_[i] = hash_slot_[at];
    }
    return unique;
}

uint32_t VertexStage::deduplicate(uint32_t count) {
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (uint32_t i = 0; i < count; ++i) {
        lowest = std::min(lowest, ids_[i]);
        highest = std::max(highest, ids_[i]);
    }
    const uint32_t span = highest - lowest;
    if (is_dense(span, count)) {
        for (uint32_t i = 0; i < count; ++i)
            slots_[i] = ids_[i] - lowest;
        list_range(lowest, span + 1);
        return span + 1;
    }
    sequential_ = false;
    return span < kTable ? number_by_table(count, lowest) : number_by_hash(count);
}

void VertexStage::shade(const Inputs& in, const ClipSpace& space, uint32_t count, uint32_t instance) {
    const SoftProgram& program = *in.program;
    const uint32_t padded = (count + 15) / 16 * 16, stride = padded + kSpare;
    const uint64_t attributes = program.vertex->inputs_read;
    const size_t inputs = size_t(std::popcount(attributes)) * 4 * kInStride,
                 outputs = size_t(program.vertex->slot_count) * 4 * stride;
    if (inputs_.size() < inputs) inputs_.resize(inputs);
    if (outputs_.size() < outputs) outputs_.resize(outputs);
    std::fill(ids_.begin() + count, ids_.begin() + padded, ids_[count - 1]);
    columns_ = {outputs_.data(), stride, window_.data(), inv_w_.data()};
    has_records_ = false;
    VertexArgs args;
    const CompiledShader& vs = program.vertex->current();
    args.shader = vs.self;
    args.watch = in.watch;
    args.uniforms = in.uniforms;
    args.textures = in.textures;
    args.blocks = in.blocks;
    args.buffers = in.buffers;
    args.images = in.images;
    args.work = memory_.work();
    args.arrays = memory_.arrays();
    args.instance = instance - in.first_instance;  // relative to the draw's first one, as in shaders
    args.in = inputs_.data();
    args.out_stride = stride;
    for (uint32_t first = 0; first < count; first += kVertexChunk) {
        args.ids = ids_.data() + first;
        args.count = std::min(kVertexChunk, count - first);
        args.out = outputs_.data() + first;
        float* to = inputs_.data();
        for (uint64_t rest = attributes; rest; rest &= rest - 1, to += 4 * kInStride)
            fetch_attribute(kernels_,
                            {in.fetch + std::countr_zero(rest), args.ids, args.count,
                             std::min(kVertexChunk, padded - first), sequential_, to},
                            args.instance, in.first_instance);
        vs.vertex(&args);
    }
    if (program.position != kNoOutput && !program.has_kernels()) project(program, space, count);
}

void VertexStage::project(const SoftProgram& program, const ClipSpace& space, uint32_t count) {
    kernels_.project(space, columns_, program.position, count);
    if (program.has_distances()) add_distance_codes(program, space.planes, count);
}

/// A NaN distance makes the whole primitive's NaN: no part of it is inside.
void VertexStage::add_distance_codes(const SoftProgram& program, uint8_t planes, uint32_t count) {
    using namespace clip_bit;
    for (uint32_t n = 0; n < program.clip_distances; ++n) {
        if (!(planes >> n & 1)) continue;
        const float* const column = columns_.outputs + size_t(program.distances[n]) * columns_.stride;
        for (uint32_t i = 0; i < count; ++i) {
            const float d = column[i];
            columns_.window[i].code |= d >= 0 ? 0 : d < 0 ? kDistance << n : kNotFinite;
        }
    }
    for (uint32_t n = 0; n < program.cull_distances; ++n) {
        const float* const column =
            columns_.outputs + size_t(program.distances[program.clip_distances + n]) * columns_.stride;
        for (uint32_t i = 0; i < count; ++i)
            columns_.window[i].code |= column[i] < 0 ? kCull << n : 0;
    }
}

void VertexStage::take(const SoftProgram& program, const ClipSpace& space,
                       std::span<const uint32_t* const> records) {
    const auto count = uint32_t(records.size());
    const uint32_t padded = (count + 15) / 16 * 16, stride = padded + kSpare;
    const size_t outputs = size_t(program.output_components) * stride;
    if (outputs_.size() < outputs) outputs_.resize(outputs);
    columns_ = {outputs_.data(), stride, window_.data(), inv_w_.data()};
    has_records_ = false;
    for (uint32_t c = 0; c < program.output_components; ++c) {
        float* const column = outputs_.data() + size_t(c) * stride;
        for (uint32_t i = 0; i < count; ++i)
            std::memcpy(column + i, records[i] + c, sizeof(float));
    }
    if (program.position != kNoOutput) project(program, space, count);
}

void VertexStage::make_records(const SoftProgram& program, uint32_t first, uint32_t count) {
    constexpr size_t kAlign_el = 8;
    const uint32_t stride = record_floats(program.plane_count);
    const size_t needed = size_t(columns_.stride) * stride + kAlign_el;
    if (record_memory_.size() < needed) {
        record_memory_.resize(needed);
        has_records_ = false;
    }
    const size_t from_boundary =
        reinterpret_cast<uintptr_t>(record_memory_.data()) / sizeof(float) % kAlign_el;
    records_ = {record_memory_.data() + (kAlign_el - from_boundary) % kAlign_el, stride};
    SetupArgs args = {};
    args.vertices = columns_;
    args.records = records_;
    args.links = program.links.data();
    args.link_count = uint32_t(program.links.size());
    kernels_.records(args, first, count);
}

const VertexRecords& VertexStage::records(const SoftProgram& program) {
    if (!has_records_) {
        make_records(program, 0, columns_.stride - kSpare);
        has_records_ = true;
    }
    return records_;
}

const VertexRecords& VertexStage::spare_records(const SoftProgram& program, uint32_t count) {
    make_records(program, spare(0), (count + 15) / 16 * 16);
    return records_;
}

}  // namespace terrazzo::soft
