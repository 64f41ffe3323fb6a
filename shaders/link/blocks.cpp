// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform blocks: whether the stages' declarations agree (ESSL 3.00 section 4.3.7), the slots that each stage
// gives them, what is reported of them, and the accesses' slots. All blocks that are declared are active
// (OpenGL ES 3.0 section 2.12.6).
#include <algorithm>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

using ir::Op;

uint32_t elements(const BlockVar& b) {
    return std::max(1u, b.array_size);
}

}  // namespace

void Linker::match_blocks() {
    const CompiledShader* first = source(Stage::Vertex);
    const CompiledShader* second = source(Stage::Fragment);
    if (!first || !second) return;
    std::map<std::string_view, const BlockVar*> known;
    for (const BlockVar& b : first->blocks)
        known.emplace(b.name, &b);
    for (const BlockVar& b : second->blocks) {
        const auto it = known.find(b.name);
        if (it == known.end()) continue;
        const BlockVar& other = *it->second;
        if (other.declared_type != b.declared_type || other.array_size != b.array_size)
            error("uniform block '" + b.name +
                  "' is declared differently in the vertex and the fragment shader");
        else if (other.binding >= 0 && b.binding >= 0 && other.binding != b.binding)
            error("uniform block '" + b.name +
                  "' has different bindings in the vertex and the fragment shader");
    }
    // One name is one uniform of the program.
    const auto leaves = [](const CompiledShader& s) {
        std::map<std::string_view, const InterfaceVar*> m;
        for (const InterfaceVar& v : s.uniforms)
            m.emplace(v.name, &v);
        return m;
    };
    const auto of_first = leaves(*first);
    for (const InterfaceVar& v : second->uniforms) {
        const auto it = of_first.find(v.name);
        if (it == of_first.end()) continue;
        const auto block = [](const CompiledShader& s, const InterfaceVar& u) -> std::string_view {
            return u.block < 0 ? std::string_view() : s.blocks[size_t(u.block)].name;
        };
        if (block(*first, *it->second) != block(*second, v))
            error("uniform '" + v.name + "' is in different blocks in the vertex and the fragment shader");
    }
}

void Linker::layout_blocks(Stage s) {
    const Limits& limits = options_.limits;
    uint32_t next = 0;
    for (const BlockVar& b : source(s)->blocks) {
        block_slots_[vars_[unsigned(s)][b.var->id]] = next;
        const uint64_t end = uint64_t(next) + elements(b);
        if (end > uint64_t(limits.uniform_blocks))
            return error("too many uniform blocks in the " + std::string(stage_name(s)) + " shader: '" +
                         b.name + "' and those before it are " + std::to_string(end) + ", " +
                         std::to_string(limits.uniform_blocks) + " are supported");
        next = uint32_t(end);
        if (b.size_B > uint64_t(limits.uniform_block_size_B))
            return error("uniform block '" + b.name + "' has " + std::to_string(b.size_B) + " bytes, " +
                         std::to_string(limits.uniform_block_size_B) + " are supported");
    }
    program_->block_slots[unsigned(s)] = next;
}

void Linker::list_blocks() {
    std::map<std::string_view, size_t> known;  // the block's first element
    uint64_t all = 0;
    for (unsigned k = 0; k < ir::kStageCount; ++k) {
        if (!source_[k]) continue;
        all += program_->block_slots[k];
        for (size_t n = 0; n < source_[k]->blocks.size(); ++n) {
            const BlockVar& b = source_[k]->blocks[n];
            const auto [it, fresh] = known.try_emplace(b.name, program_->blocks.size());
            if (fresh) add_block(*source_[k], n);
            const uint32_t slot = block_slots_[vars_[k][b.var->id]];
            for (uint32_t e = 0; e < elements(b); ++e) {
                UniformBlockInfo& info = program_->blocks[it->second + e];
                info.slot[k] = int32_t(slot + e);
                if (info.binding < 0 && b.binding >= 0) info.binding = b.binding + int(e);
            }
        }
    }
    if (all > uint64_t(options_.limits.combined_uniform_blocks))
        error("too many uniform blocks: the stages have " + std::to_string(all) + " together, " +
              std::to_string(options_.limits.combined_uniform_blocks) + " are supported");
}

/// The block's elements and its members.
void Linker::add_block(const CompiledShader& s, size_t index) {
    const BlockVar& b = s.blocks[index];
    std::vector<uint32_t> members;
    for (const InterfaceVar& v : s.uniforms) {
        if (v.block != int(index)) continue;
        UniformInfo u;
        u.is_array = v.array_size > 0;
        u.name = v.name + (u.is_array ? "[0]" : "");
        u.type = v.type;
        u.array_size = std::max(1u, v.array_size);
        u.precision = v.precision;
        u.block = int32_t(program_->blocks.size());
        u.block_offset_B = v.offset_B;
        u.array_stride_B = v.array_stride_B;
        u.matrix_stride_B = v.matrix_stride_B;
        u.row_major = v.row_major;
        members.push_back(uint32_t(program_->uniforms.size()));
        program_->uniforms.push_back(std::move(u));
    }
    for (uint32_t e = 0; e < elements(b); ++e) {
        UniformBlockInfo info;
        info.name = b.array_size ? b.name + "[" + std::to_string(e) + "]" : b.name;
        info.size_B = b.size_B;
        info.array_left = elements(b) - e;
        info.members = members;
        program_->blocks.push_back(std::move(info));
    }
}

void Linker::lower_block(ir::Shader& sh, ir::Instr* i) {
    ir::MemInfo& m = *i->u.mem;
    m.binding = int(block_slots_[m.var]);
    if (m.indexed) {
        m.count = m.var->count;
        const auto at = unsigned(ir::mem_operands(i->op, m).index);
        if (ir::is_const(i->operand(at))) {
            m.binding += int(std::min<uint64_t>(ir::const_bits(i->operand(at)), m.count - 1));
            sh.remove_operand(i, at);
            m.indexed = false;
            m.count = 1;
        }
    }
    m.var = nullptr;
}

}  // namespace terrazzo::shaders
