// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads and writes members of blocks and shared memory. An access is a list of runs of consecutive words.
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

/// The operation, memory and offset of an access. `operands` gets the address operands; the values of stores
/// and atomics follow them.
ir::MemInfo Walker::block_access(const BlockPlace& at, Vals* operands) {
    ir::MemInfo m;
    m.space = at.block->space;
    m.qualifiers = at.block->qualifiers;
    m.indexed = at.index != nullptr;
    m.var = at.block->var;
    if (m.space == ir::Storage::Shared) m.binding = 0;
    m.offset_B = at.offset_B;
    operands->push_back(at.dynamic ? at.dynamic : i32(0));
    if (at.index) operands->push_back(at.index);
    return m;
}

ir::Instr* Walker::emit_memory(Op op, const ir::MemInfo& m, const Vals& operands, ir::Type result) {
    const ir::Type types[] = {result, result, result, result};
    ir::Instr* const i = sh_.create(op, operands, std::span(types, ir::mem_result_count(op, m)));
    i->u.mem = sh_.create_mem(m);
    return b_.insert(i);
}

void Walker::load_run(const WordRun& run, Vals& out) {
    Vals operands;
    ir::MemInfo m = block_access(run.at, &operands);
    m.words = uint8_t(run.count);
    const ir::Instr* const i =
        emit_memory(Op::LoadBuffer, m, operands, run.base == Base::Float ? ir::Type::F32 : ir::Type::I32);
    for (unsigned n = 0; n < run.count; ++n)
        out.push_back(run.base == Base::Bool ? b_.alu(Op::INe, i->result(n), i32(0)) : i->result(n));
}

void Walker::store_run(const WordRun& run, std::span<Value* const> values) {
    Vals operands;
    ir::MemInfo m = block_access(run.at, &operands);
    m.words = uint8_t(run.count);
    for (unsigned n = 0; n < run.count; ++n)
        operands.push_back(run.base == Base::Bool ? b_.convert(Op::B2I, ir::Type::I32, values[n])
                                                  : values[n]);
    emit_memory(Op::StoreBuffer, m, operands, ir::Type::Void);
}

/// The place of the element that the steps lead to.
BlockPlace Walker::block_place(const Place& p, uint32_t leaf) {
    const BlockLeaf& l = p.object->block->layout.leaves[leaf];
    BlockPlace at;
    at.block = p.object->block;
    at.offset_B = l.offset_B;
    const bool array_of_blocks =
        at.block->var && p.object->type->is_array() && p.object->type->base == Base::Struct;
    if (array_of_blocks && !p.steps.empty())
        at.index = p.steps[0].dynamic ? p.steps[0].dynamic : i32(int32_t(p.steps[0].constant));
    for (size_t i = array_of_blocks; i < p.steps.size(); ++i) {
        at.offset_B += p.steps[i].constant * l.strides_B[i];
        if (p.steps[i].dynamic) at.dynamic = add_index(at.dynamic, p.steps[i].dynamic, l.strides_B[i]);
    }
    return at;
}

static void add_run(std::vector<WordRun>& runs, BlockPlace at, uint32_t offset_B, unsigned count, Base base) {
    at.offset_B += offset_B;
    runs.push_back({at, count, base});
}

/// Lists a whole scalar, vector or matrix.
static void list_whole(const BlockPlace& at, const BlockLeaf& l, const Type& t, std::vector<WordRun>& runs) {
    for (uint32_t c = 0; c < t.columns; ++c) {
        if (!l.row_major) {
            add_run(runs, at, c * l.matrix_stride_B, t.rows, t.base);
            continue;
        }
        for (uint32_t r = 0; r < t.rows; ++r)
            add_run(runs, at, r * l.matrix_stride_B + c * 4, 1, t.base);
    }
}

/// Lists all elements from dimension `depth` of the leaf on.
static void list_elements(const BlockPlace& at, uint32_t leaf, const Object& o, size_t depth,
                          std::vector<WordRun>& runs) {
    const Leaf& l = o.type->leaves[leaf];
    const BlockLeaf& place = o.block->layout.leaves[leaf];
    if (depth == l.dims.size()) return list_whole(at, place, *l.basic, runs);
    for (uint32_t e = 0; e < l.dims[depth]; ++e) {
        BlockPlace element = at;
        element.offset_B += e * place.strides_B[depth];
        list_elements(element, leaf, o, depth + 1, runs);
    }
}

/// Lists a vector, or components of it.
void Walker::list_components(const Place& p, BlockPlace at, std::vector<WordRun>& runs) {
    const Type& t = *p.object->type->leaves[p.first_leaf].basic;
    const BlockLeaf& l = p.object->block->layout.leaves[p.first_leaf];
    const uint32_t column_B = l.row_major ? 4 : l.matrix_stride_B;
    const uint32_t row_B = l.row_major ? l.matrix_stride_B : 4;
    if (p.column >= 0) at.offset_B += uint32_t(p.column) * column_B;
    if (p.column_dynamic) at.dynamic = add_index(at.dynamic, p.column_dynamic, column_B);
    const uint32_t count = p.swizzle.empty() ? t.rows : p.swizzle.size();
    const auto row = [&](uint32_t c) { return p.swizzle.empty() ? c : uint32_t(p.swizzle[c]); };
    if (p.component_dynamic) {
        Vals rows;
        for (uint32_t c = 0; c < count; ++c)
            rows.push_back(i32(int32_t(row(c))));
        Value* const chosen = p.swizzle.empty() ? p.component_dynamic : pick(rows, p.component_dynamic);
        at.dynamic = add_index(at.dynamic, chosen, row_B);
        return add_run(runs, at, 0, 1, t.base);
    }
    bool in_order = !l.row_major;
    for (uint32_t c = 1; c < count; ++c)
        in_order &= row(c) == row(0) + c;
    if (in_order) return add_run(runs, at, row(0) * 4, count, t.base);
    for (uint32_t c = 0; c < count; ++c)
        add_run(runs, at, row(c) * row_B, 1, t.base);
}

std::vector<WordRun> Walker::list_runs(const Place& p) {
    const Object& o = *p.object;
    std::vector<WordRun> runs;
    if (p.type->is_array() || p.type->base == Base::Struct) {
        if (!count_moves(p.type->components, 0)) return {};
        for (uint32_t k = 0; k < p.type->leaves.size(); ++k)
            list_elements(block_place(p, p.first_leaf + k), p.first_leaf + k, o, p.steps.size(), runs);
        return runs;
    }
    const BlockPlace at = block_place(p, p.first_leaf);
    if (p.column < 0 && !p.column_dynamic && p.type->is_matrix())
        list_whole(at, o.block->layout.leaves[p.first_leaf], *o.type->leaves[p.first_leaf].basic, runs);
    else
        list_components(p, at, runs);
    return runs;
}

Vals Walker::load_block(const Place& p) {
    Vals r;
    for (const WordRun& run : list_runs(p))
        load_run(run, r);
    return failed_ ? undefined(p.type) : r;
}

void Walker::store_block(const Place& p, const Vals& v) {
    size_t next = 0;
    for (const WordRun& run : list_runs(p)) {
        store_run(run, std::span<Value* const>(v).subspan(next, run.count));
        next += run.count;
    }
}

/// The number of elements of a storage block's unsized array: as many as fit into the bound range.
Vals Walker::unsized_length(const Place& p) {
    BlockPlace at = block_place(p, p.first_leaf);
    const BlockLeaf& l = p.object->block->layout.leaves[p.first_leaf];
    const uint32_t stride_B = l.strides_B[p.steps.size()];
    // The first leaf of an array of structures is at the array's start.
    Value* const first = i32(int32_t(at.offset_B));
    Vals operands;
    ir::MemInfo m = block_access(at, &operands);
    m.offset_B = 0;
    const Vals index(operands.begin() + 1, operands.end());
    Value* const size = emit_memory(Op::BufferSize, m, index, ir::Type::I32)->result();
    Value* const room = b_.alu(Op::ISub, b_.alu(Op::UMax, size, first), first);
    return {b_.alu(Op::UDiv, room, i32(int32_t(stride_B)))};
}

}  // namespace terrazzo::shaders::glsl
