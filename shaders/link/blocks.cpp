// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Uniform and storage blocks: whether the stages' declarations match (ESSL 3.00 section 4.3.7), their slots
// in each stage, their entries in the program's interface, and the slots of accesses. All declared blocks are
// active (OpenGL ES 3.0 section 2.12.6).
#include <algorithm>

#include "shaders/link/linker.h"

namespace terrazzo::shaders {

namespace {

using ir::Op;

uint32_t elements(const BlockVar& b) {
    return std::max(1u, b.array_size);
}

}  // namespace

/// The members that hold uniform blocks or storage blocks, in shaders and in the program.
struct BlockKind {
    const char* name;
    std::vector<BlockVar> CompiledShader::*declared;
    std::vector<InterfaceVar> CompiledShader::*members;
    std::vector<UniformBlockInfo> LinkedProgram::*blocks;
    std::vector<UniformInfo> LinkedProgram::*variables;
    std::array<uint32_t, ir::kStageCount> LinkedProgram::*slots;
    int Limits::*of_stage;
    int Limits::*combined;
    int Limits::*size_B;
};

static constexpr BlockKind kKinds[] = {
    {"uniform", &CompiledShader::blocks, &CompiledShader::uniforms, &LinkedProgram::blocks,
     &LinkedProgram::uniforms, &LinkedProgram::block_slots, &Limits::uniform_blocks,
     &Limits::combined_uniform_blocks, &Limits::uniform_block_size_B},
    {"storage", &CompiledShader::storage_blocks, &CompiledShader::buffer_variables,
     &LinkedProgram::storage_blocks, &LinkedProgram::buffer_variables, &LinkedProgram::storage_slots,
     &Limits::storage_blocks, &Limits::combined_storage_blocks, &Limits::storage_block_size_B},
};

void Linker::match_blocks() {
    const std::vector<Stage> stages = chain();
    for (size_t b = 1; b < stages.size(); ++b)
        for (size_t a = 0; a < b; ++a)
            for (const BlockKind& kind : kKinds)
                match_blocks_of(kind, stages[a], stages[b]);
}

void Linker::match_blocks_of(const BlockKind& kind, Stage a, Stage b) {
    const CompiledShader& first = *source(a);
    const CompiledShader& second = *source(b);
    const std::string where =
        " in the " + std::string(stage_name(a)) + " and the " + stage_name(b) + " shader";
    const std::string what = std::string(kind.name) + " block '";
    std::map<std::string_view, const BlockVar*> known;
    for (const BlockVar& k : first.*kind.declared)
        known.emplace(k.name, &k);
    for (const BlockVar& k : second.*kind.declared) {
        const auto it = known.find(k.name);
        if (it == known.end()) continue;
        const BlockVar& other = *it->second;
        if (other.declared_type != k.declared_type || other.array_size != k.array_size)
            error(what + k.name + "' is declared differently" + where);
        else if (other.binding >= 0 && k.binding >= 0 && other.binding != k.binding)
            error(what + k.name + "' has different bindings" + where);
    }
    // A name belongs to only one variable of the program.
    std::map<std::string_view, const InterfaceVar*> of_first;
    for (const InterfaceVar& v : first.*kind.members)
        of_first.emplace(v.name, &v);
    const auto block = [&](const CompiledShader& s, const InterfaceVar& u) -> std::string_view {
        return u.block < 0 ? std::string_view() : (s.*kind.declared)[size_t(u.block)].name;
    };
    for (const InterfaceVar& v : second.*kind.members) {
        const auto it = of_first.find(v.name);
        if (it != of_first.end() && block(first, *it->second) != block(second, v))
            error("uniform '" + v.name + "' is in different blocks" + where);
    }
}

void Linker::layout_blocks(Stage s) {
    for (const BlockKind& kind : kKinds)
        layout_blocks_of(kind, s);
}

void Linker::layout_blocks_of(const BlockKind& kind, Stage s) {
    const Limits& limits = options_.limits;
    const bool stored = kind.declared == &CompiledShader::storage_blocks;
    const int most = stored ? limits.stored(s, limits.storage_blocks) : limits.*kind.of_stage;
    const int most_B = options_.limits.*kind.size_B;
    uint32_t next = 0;
    for (const BlockVar& b : source(s)->*kind.declared) {
        block_slots_[vars_[unsigned(s)][b.var->id]] = next;
        const uint64_t end = uint64_t(next) + elements(b);
        if (end > uint64_t(most))
            return error("too many " + std::string(kind.name) + " blocks in the " + stage_name(s) +
                         " shader: '" + b.name + "' and those before it are " + std::to_string(end) + ", " +
                         std::to_string(most) + " are supported");
        next = uint32_t(end);
        if (b.size_B > uint64_t(most_B))
            return error(std::string(kind.name) + " block '" + b.name + "' has " + std::to_string(b.size_B) +
                         " bytes, " + std::to_string(most_B) + " are supported");
    }
    ((*program_).*kind.slots)[unsigned(s)] = next;
}

void Linker::list_blocks() {
    for (const BlockKind& kind : kKinds)
        list_blocks_of(kind);
}

void Linker::list_blocks_of(const BlockKind& kind) {
    std::vector<UniformBlockInfo>& list = (*program_).*kind.blocks;
    std::map<std::string_view, size_t> known;  // the index of the block's first element
    uint64_t all = 0;
    for (unsigned k = 0; k < ir::kStageCount; ++k) {
        if (!source_[k]) continue;
        all += ((*program_).*kind.slots)[k];
        const std::vector<BlockVar>& declared = source_[k]->*kind.declared;
        for (size_t n = 0; n < declared.size(); ++n) {
            const BlockVar& b = declared[n];
            const auto [it, fresh] = known.try_emplace(b.name, list.size());
            if (fresh) add_block(kind, *source_[k], n);
            const uint32_t slot = block_slots_[vars_[k][b.var->id]];
            for (uint32_t e = 0; e < elements(b); ++e) {
                UniformBlockInfo& info = list[it->second + e];
                info.slot[k] = int32_t(slot + e);
                if (info.binding < 0 && b.binding >= 0) info.binding = b.binding + int(e);
            }
            if (!b.statically_used) continue;
            for (const uint32_t m : list[it->second].members)
                ((*program_).*kind.variables)[m].stage_mask |= 1u << k;
        }
    }
    const int most = options_.limits.*kind.combined;
    if (all > uint64_t(most))
        error("too many " + std::string(kind.name) + " blocks: the stages have " + std::to_string(all) +
              " together, " + std::to_string(most) + " are supported");
}

/// Adds the block's elements and its members.
void Linker::add_block(const BlockKind& kind, const CompiledShader& s, size_t index) {
    const BlockVar& b = (s.*kind.declared)[index];
    std::vector<UniformBlockInfo>& list = (*program_).*kind.blocks;
    std::vector<UniformInfo>& variables = (*program_).*kind.variables;
    std::vector<uint32_t> members;
    for (const InterfaceVar& v : s.*kind.members) {
        if (v.block != int(index)) continue;
        UniformInfo u;
        u.is_array = v.array_size > 0 || v.unsized;
        u.name = v.name + (u.is_array ? "[0]" : "");
        u.type = v.type;
        u.array_size = v.unsized ? 0 : std::max(1u, v.array_size);
        u.precision = v.precision;
        u.block = int32_t(list.size());
        u.block_offset_B = v.offset_B;
        u.array_stride_B = v.array_stride_B;
        u.matrix_stride_B = v.matrix_stride_B;
        u.row_major = v.row_major;
        u.top_array_size = v.top_array_size;
        u.top_array_stride_B = v.top_array_stride_B;
        members.push_back(uint32_t(variables.size()));
        variables.push_back(std::move(u));
    }
    for (uint32_t e = 0; e < elements(b); ++e) {
        UniformBlockInfo info;
        info.name = b.array_size ? b.name + "[" + std::to_string(e) + "]" : b.name;
        info.size_B = b.size_B;
        info.array_left = elements(b) - e;
        info.members = members;
        list.push_back(std::move(info));
    }
}

/// `first`: the variable's first slot.
void Linker::lower_slot(ir::Shader& sh, ir::Instr* i, uint32_t first) {
    ir::MemInfo& m = *i->u.mem;
    m.binding = int(first);
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
