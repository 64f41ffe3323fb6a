// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/zero_shared.h"

#include "shaders/ir/builder.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/walk.h"

namespace terrazzo::ir {

namespace {

bool reads_shared(Shader& s) {
    bool reads = false;
    for_each(s.body, [&](Instr* i) {
        if (i->op == Op::LoadBuffer || i->op == Op::AtomicBuffer) reads |= i->u.mem->space == Storage::Shared;
    });
    return reads;
}

}  // namespace

bool zero_shared(Shader& s) {
    if (s.stage != Stage::Compute || !s.info.shared_B || !reads_shared(s)) return false;
    const uint32_t* const size = s.info.workgroup_size;
    Builder b(s, s.body->first);
    Value *const zero = b.i32(0), *const step_B = b.i32(int32_t(size[0] * size[1] * size[2] * 4)),
                 *const end_B = b.i32(int32_t(s.info.shared_B));
    Value* const first_B =
        b.alu(Op::IShl, b.load_sysval(Sysval::LocalInvocationIndex, 0, Type::I32), b.i32(2));
    Instr* const loop = b.begin_loop({&first_B, 1});
    Region* const body = loop->regions[0];
    Value* const at_B = body->args[0];
    Builder in(s, body);
    Instr* const done = in.begin_if(in.alu(Op::IGe, at_B, end_B));
    in.set_end(done->regions[0]);
    in.brk();
    in.set_end(done->regions[1]);
    in.yield();
    in.set_end(body);
    MemInfo word;
    word.space = Storage::Shared;
    word.binding = 0;
    Instr* const store = s.create(Op::StoreBuffer, std::array{at_B, zero}, {});
    store->u.mem = s.create_mem(word);
    in.insert(store);
    Value* const next_B = in.iadd(at_B, step_B);
    in.cont({&next_B, 1});
    MemInfo wait;
    wait.execution = wait.memory = MemScope::Workgroup;
    wait.memories = mem_space::kShared;
    Instr* const barrier = s.create(Op::Barrier, {}, {});
    barrier->u.mem = s.create_mem(wait);
    b.insert(barrier);
    s.info.uses_barriers = true;
    return true;
}

}  // namespace terrazzo::ir
