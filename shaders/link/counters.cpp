// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Atomic counters. The buffer of each binding gets a slot after the storage blocks, in each stage that uses
// one of its counters. Each counter is listed as a uniform. A counter is used if the text uses it.
#include <algorithm>
#include <set>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

bool is_used_counter(const InterfaceVar& v) {
    return v.type.base == BaseType::AtomicCounter && v.statically_used;
}
uint32_t elements(const InterfaceVar& v) {
    return std::max(1u, v.array_size);
}
std::string too_many(const std::string& what, uint64_t n, int most) {
    return "too many " + what + ": " + std::to_string(n) + " are used, " + std::to_string(most) +
           " are supported";
}

}  // namespace

void Linker::layout_counters(Stage s) {
    const Limits& limits = options_.limits;
    const std::string of_stage = " of the " + std::string(stage_name(s)) + " shader";
    std::map<int, ir::Var*> buffers;
    uint64_t counters = 0;
    for (const InterfaceVar& v : source(s)->uniforms) {
        if (!is_used_counter(v)) continue;
        buffers.emplace(v.binding, var(s, v));
        counters += elements(v);
    }
    const int most = limits.stored(s, limits.atomic_counters),
              most_buffers = limits.stored(s, limits.atomic_buffers);
    if (counters > uint64_t(most)) return error(too_many("atomic counters" + of_stage, counters, most));
    if (buffers.size() > size_t(most_buffers))
        return error(too_many("bindings of atomic counters" + of_stage, buffers.size(), most_buffers));
    uint32_t& next = program_->storage_slots[unsigned(s)];
    for (const auto& [binding, v] : buffers)
        block_slots_[v] = next++;
}

void Linker::list_counters() {
    const Limits& limits = options_.limits;
    std::set<int> bindings;
    for (const CompiledShader* s : source_)
        for (size_t n = 0; s && n < s->uniforms.size(); ++n)
            if (is_used_counter(s->uniforms[n])) bindings.insert(s->uniforms[n].binding);
    std::map<int, size_t> buffer_of;
    for (const int b : bindings) {
        if (b >= limits.combined_atomic_buffers)
            return error("atomic counters have binding " + std::to_string(b) + ", but there are " +
                         std::to_string(limits.combined_atomic_buffers) + " bindings");
        buffer_of.emplace(b, program_->atomic_buffers.size());
        program_->atomic_buffers.emplace_back().binding = b;
    }
    std::map<std::string_view, uint32_t> known;
    uint64_t counters = 0, buffers = 0;
    for (unsigned k = 0; k < ir::kStageCount; ++k) {
        if (!source_[k]) continue;
        for (const InterfaceVar& v : source_[k]->uniforms) {
            if (!is_used_counter(v)) continue;
            counters += elements(v);
            AtomicBufferInfo& buffer = program_->atomic_buffers[buffer_of.at(v.binding)];
            if (buffer.slot[k] < 0) ++buffers;
            buffer.slot[k] = int32_t(block_slots_.at(var(Stage(k), v)));
            const auto [it, fresh] = known.try_emplace(v.name, uint32_t(program_->uniforms.size()));
            if (fresh) add_counter(v, buffer_of.at(v.binding));
            program_->uniforms[it->second].stage_mask |= 1u << k;
        }
    }
    if (counters > uint64_t(limits.combined_atomic_counters))
        error(too_many("atomic counters", counters, limits.combined_atomic_counters));
    if (buffers > uint64_t(limits.combined_atomic_buffers))
        error(too_many("buffers of atomic counters", buffers, limits.combined_atomic_buffers));
}

void Linker::add_counter(const InterfaceVar& v, size_t buffer) {
    UniformInfo u;
    u.is_array = v.array_size > 0;
    u.name = v.name + (u.is_array ? "[0]" : "");
    u.type = v.type;
    u.array_size = elements(v);
    u.binding = v.binding;
    u.atomic_buffer = int32_t(buffer);
    u.block_offset_B = v.offset_B;
    u.array_stride_B = u.is_array ? 4 : 0;
    AtomicBufferInfo& info = program_->atomic_buffers[buffer];
    info.size_B = std::max(info.size_B, v.offset_B + 4 * elements(v));
    info.members.push_back(uint32_t(program_->uniforms.size()));
    program_->uniforms.push_back(std::move(u));
}

}  // namespace terrazzo::shaders
