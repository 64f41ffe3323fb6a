// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/check_stores.h"

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "tests/shaders/passes/run_kernel.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr uint32_t kOut = 0;

/// Invocation i stores `words` elements, or adds its number to one, at element i * words - 4 of buffer 0.
/// Results of atomics go to buffer 1.
std::unique_ptr<Shader> kernel(Op op, unsigned words, uint32_t element_B, uint32_t offset_B) {
    auto s = std::make_unique<Shader>(Stage::Compute);
    s->info.workgroup_size[0] = kKernelGroup;
    Builder b(*s);
    Value* const i = b.load_sysval(Sysval::LocalInvocationIndex, 0, Type::I32);
    MemInfo info;
    info.binding = kOut;
    info.words = uint8_t(words);
    info.element_B = uint8_t(element_B);
    info.offset_B = offset_B;
    if (op == Op::AtomicBuffer) info.op = MemOp::Add;
    Value* const offset =
        b.iadd(b.imul(i, b.i32(int32_t(words * element_B))), b.i32(int32_t(-4 * element_B)));
    std::vector<Value*> operands = {offset};
    for (unsigned k = 0; k < words; k++)
        operands.push_back(b.iadd(i, b.i32(int32_t(1000 * k + 7))));
    const Type type = Type::I32;
    Instr* const access = s->create(
        op, operands, op == Op::AtomicBuffer ? std::span<const Type>(&type, 1) : std::span<const Type>());
    access->u.mem = s->create_mem(info);
    b.insert(access);
    if (op != Op::AtomicBuffer) return s;
    MemInfo to;
    to.binding = 1;
    Value* const at = b.alu(Op::IShl, i, b.i32(2));
    Instr* const store = s->create(Op::StoreBuffer, std::array{at, access->result()}, {});
    store->u.mem = s->create_mem(to);
    b.insert(store);
    return s;
}

/// Stores and atomics that are not within an if.
unsigned unguarded(const Shader& s) {
    unsigned n = 0;
    for (const Instr* i = s.body->first; i; i = i->next)
        n += (i->op == Op::StoreBuffer || i->op == Op::AtomicBuffer) && i->u.mem->binding == int(kOut);
    return n;
}

/// What a device stores that drops a store of several words if the last one is outside.
void drop_partial(std::vector<uint32_t>& out, unsigned words, uint32_t element_B, uint32_t offset_B) {
    for (uint32_t i = 0; i < kKernelGroup; i++) {
        const uint32_t at = (i * words * element_B - 4 * element_B + offset_B) / 4;
        if (at < out.size() && at + words > out.size()) std::fill(out.begin() + at, out.end(), 5u);
    }
}

void check(Op op, unsigned words, uint32_t element_B, uint32_t offset_B, size_t size_dw) {
    CAPTURE(words);
    CAPTURE(element_B);
    CAPTURE(offset_B);
    CAPTURE(size_dw);
    const auto plain = kernel(op, words, element_B, offset_B),
               checked = kernel(op, words, element_B, offset_B);
    REQUIRE(check_stores(*checked));
    CHECK(unguarded(*plain) == 1);
    CHECK(unguarded(*checked) == 0);
    KernelBuffers expected, got;
    for (KernelBuffers* b : {&expected, &got})
        (*b)[kOut].assign(size_dw, 5), (*b)[1].assign(kKernelGroup, 9);
    run_kernel(*plain, kKernelGroup, expected);
    run_kernel(*checked, kKernelGroup, got);
    if (words > 1) drop_partial(expected[kOut], words, element_B, offset_B);
    CHECK(got == expected);
}

}  // namespace

TEST_CASE("check_stores: stores within the range, beyond it, and partly within it") {
    for (const size_t size_dw : {0, 1, 3, 8, 40, 64, 100})
        for (unsigned words = 1; words <= 4; words++)
            for (const uint32_t offset_B : {0, 2, 16, 20})
                check(Op::StoreBuffer, words, 4, offset_B, size_dw);
}

TEST_CASE("check_stores: stores of less than a word") {
    for (const size_t size_dw : {0, 1, 3, 40})
        check(Op::StoreBuffer, 1, 1, 16, size_dw);
}

TEST_CASE("check_stores: atomics beyond the range return 0") {
    for (const size_t size_dw : {0, 1, 3, 40, 64})
        for (const uint32_t offset_B : {0, 3, 16})
            check(Op::AtomicBuffer, 1, 4, offset_B, size_dw);
}

TEST_CASE("check_stores: shared memory is not checked") {
    Shader s(Stage::Compute);
    s.info.shared_B = 64;
    Builder b(s);
    MemInfo info;
    info.space = Storage::Shared;
    info.binding = 0;
    Instr* const store = s.create(Op::StoreBuffer, std::array{b.i32(0), b.i32(1)}, {});
    store->u.mem = s.create_mem(info);
    b.insert(store);
    CHECK(!check_stores(s));
}
