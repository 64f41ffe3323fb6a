// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Functions on memory: atomics, atomic counters, images and barriers (ESSL 3.10 sections 8.10 to 8.15).
#include "shaders/glsl/walker.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

bool is_barrier(TOperator op) {
    return op >= EOpBarrier && op <= EOpGroupMemoryBarrier;
}

bool writes_memory(TOperator op) {
    return is_barrier(op) ||
           (op >= EOpAtomicAdd && op <= EOpAtomicCounterCompSwap && op != EOpAtomicCounter) ||
           (op >= EOpImageStore && op <= EOpImageAtomicStore);
}

static ir::MemOp mem_op(TOperator op, Base base) {
    switch (op) {
        case EOpAtomicAdd:
        case EOpImageAtomicAdd:
        case EOpAtomicCounterIncrement:
        case EOpAtomicCounterDecrement:
            return ir::MemOp::Add;
        case EOpAtomicMin:
        case EOpImageAtomicMin:
            return base == Base::Uint ? ir::MemOp::UMin : ir::MemOp::IMin;
        case EOpAtomicMax:
        case EOpImageAtomicMax:
            return base == Base::Uint ? ir::MemOp::UMax : ir::MemOp::IMax;
        case EOpAtomicAnd:
        case EOpImageAtomicAnd:
            return ir::MemOp::And;
        case EOpAtomicOr:
        case EOpImageAtomicOr:
            return ir::MemOp::Or;
        case EOpAtomicXor:
        case EOpImageAtomicXor:
            return ir::MemOp::Xor;
        case EOpAtomicExchange:
        case EOpImageAtomicExchange:
            return ir::MemOp::Exchange;
        case EOpAtomicCompSwap:
        case EOpImageAtomicCompSwap:
            return ir::MemOp::CompareExchange;
        default:
            return ir::MemOp::None;
    }
}

bool Walker::is_memory_function(TOperator op, std::span<TIntermTyped* const> args) {
    if (op == EOpArrayLength || is_barrier(op) || (op >= EOpAtomicAdd && op <= EOpAtomicCounterCompSwap))
        return true;
    return op > EOpImageGuardBegin && op < EOpImageGuardEnd && !args.empty();
}

Vals Walker::memory_function(TIntermOperator* n, TOperator op, std::span<TIntermTyped* const> args) {
    if (is_barrier(op)) {
        at(n);
        barrier(op);
        return {};
    }
    Place p;
    if (!place_of(args[0], p) || failed_) {
        fail(n->getLoc().line, "Terrazzo: this argument of a function on memory is not supported");
        return {};
    }
    std::vector<Vals> a;
    for (TIntermTyped* x : args.subspan(1))
        a.push_back(eval(x));
    if (failed_) return {};
    at(n);
    b_.flags = 0;
    if (p.type->base == Base::Image && !p.type->is_array()) return image_function(n, op, p, a);
    if (!p.object->block) {
        fail(n->getLoc().line,
             "atomic functions are of members of storage blocks, shared variables and counters");
        return {};
    }
    if (op == EOpArrayLength) return unsized_length(p);
    return atomic_function(n, op, p, a);
}

/// ESSL 3.10 sections 8.10 (counters) and 8.11.
Vals Walker::atomic_function(TIntermOperator* n, TOperator op, const Place& p, std::span<Vals> a) {
    const std::vector<WordRun> runs = list_runs(p);
    if (runs.size() != 1 || runs[0].count != 1) {
        fail(n->getLoc().line, "atomic functions are of scalars");
        return {};
    }
    Vals operands;
    ir::MemInfo m = block_access(runs[0].at, &operands);
    if (op == EOpAtomicCounter) {
        m.qualifiers |= ir::mem_flag::kVolatile;
        return {emit_memory(Op::LoadBuffer, m, operands, ir::Type::I32)->result()};
    }
    m.op = mem_op(op, p.type->base);
    const bool down = op == EOpAtomicCounterDecrement, counts = down || op == EOpAtomicCounterIncrement;
    const size_t values = counts ? 0 : m.op == ir::MemOp::CompareExchange ? 2 : 1;
    if (m.op == ir::MemOp::None || a.size() < values) {
        fail(n->getLoc().line, "Terrazzo: this atomic function is not supported");
        return {};
    }
    if (counts) operands.push_back(i32(down ? -1 : 1));
    for (size_t k = 0; k < values; ++k)
        operands.push_back(a[k][0]);
    Value* const before = emit_memory(Op::AtomicBuffer, m, operands, ir::Type::I32)->result();
    // A decrement returns the new value.
    return {down ? b_.iadd(before, i32(-1)) : before};
}

Vals Walker::image_function(TIntermOperator* n, TOperator op, const Place& p, std::span<Vals> a) {
    const Type& t = *p.object->type->leaves[p.first_leaf].basic;
    ir::MemInfo m;
    m.space = ir::Storage::Image;
    m.var = p.object->vars[p.first_leaf];
    m.dim = t.dim;
    m.arrayed = t.arrayed;
    m.format = p.object->format;
    m.qualifiers = p.object->qualifiers;
    const ir::Type texel = t.sampled == Base::Float ? ir::Type::F32 : ir::Type::I32;
    uint32_t element;
    Value* dynamic;
    offset_of(p, p.first_leaf, element, dynamic);
    m.indexed = m.var->count > 1;
    Vals operands;
    const auto index = [&] {
        if (!m.indexed) return;
        operands.push_back(dynamic && element ? b_.iadd(dynamic, i32(int32_t(element)))
                           : dynamic          ? dynamic
                                              : i32(int32_t(element)));
    };
    if (op == EOpImageQuerySize) {
        index();
        const ir::Instr* const i = emit_memory(Op::ImageSize, m, operands, ir::Type::I32);
        return Vals(i->results, i->results + i->result_count);
    }
    if (!a.empty()) operands.append(a[0]);
    index();
    if (op == EOpImageLoad && a.size() == 1) {
        const ir::Instr* const i = emit_memory(Op::LoadImage, m, operands, texel);
        return Vals(i->results, i->results + i->result_count);
    }
    if (op == EOpImageStore && a.size() == 2) {
        operands.append(a[1]);
        emit_memory(Op::StoreImage, m, operands, ir::Type::Void);
        return {};
    }
    m.op = mem_op(op, t.sampled);
    const size_t values = m.op == ir::MemOp::CompareExchange ? 2 : 1;
    if (m.op == ir::MemOp::None || a.size() < 1 + values) {
        fail(n->getLoc().line, "Terrazzo: this image function is not supported");
        return {};
    }
    const bool cast = texel == ir::Type::F32;  // atomics operate on bits
    for (size_t k = 1; k <= values; ++k)
        operands.push_back(cast ? b_.convert(Op::Bitcast, ir::Type::I32, a[k][0]) : a[k][0]);
    Value* const before = emit_memory(Op::AtomicImage, m, operands, ir::Type::I32)->result();
    return {cast ? b_.convert(Op::Bitcast, texel, before) : before};
}

/// ESSL 3.10 sections 8.14 and 8.15.
void Walker::barrier(TOperator op) {
    using namespace ir::mem_space;
    const bool compute = sh_.stage == ir::Stage::Compute;
    // In tessellation control shaders, the barrier orders outputs, which are in buffers (stage_buffers.h).
    const uint8_t all = compute ? kAll : kBuffer | kImage;
    ir::MemInfo m;
    m.memory = ir::MemScope::Device;
    m.memories = all;
    switch (op) {
        case EOpBarrier:
            // Earlier writes are visible to the workgroup after it.
            m.execution = m.memory = ir::MemScope::Workgroup;
            break;
        case EOpGroupMemoryBarrier:
            m.memory = ir::MemScope::Workgroup;
            break;
        case EOpMemoryBarrierShared:
            m.memory = ir::MemScope::Workgroup;
            m.memories = kShared;
            break;
        case EOpMemoryBarrierImage:
            m.memories = kImage;
            break;
        case EOpMemoryBarrierBuffer:
        case EOpMemoryBarrierAtomicCounter:
            m.memories = kBuffer;
            break;
        default:
            break;
    }
    emit_memory(Op::Barrier, m, {}, ir::Type::Void);
}

}  // namespace terrazzo::shaders::glsl
