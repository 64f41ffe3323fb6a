// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The control stage writes vertices, rows and levels for the tessellator and the evaluation stage to the
// memory. Source: Mesa 25.0.7, fd6_draw.cc, fd6_gmem.cc (set_tessfactor_bo).
#include "drivers/adreno/passes/patches.h"

#include <new>
#include <utility>

#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/stream/segment.h"

namespace terrazzo::adreno {

/// The memory's address is not part of a draw's state, so no draw may be under way when it changes.
bool Patches::begin(const AdrenoProgram& program, uint32_t vertices) {
    const bool changed = std::exchange(vertices_, vertices) != vertices;
    if (!memory_) memory_ = screen_.device().create_bo(PatchMemory::kSize_B, 0);
    if (!memory_) throw std::bad_alloc();
    CsBuilder& cs = pass_.draws;
    if (!std::exchange(in_stream_, true)) {
        recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(memory_.get()));
        cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
        cs.write(hw::PC_TESSFACTOR_ADDR{memory_->va});
        cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
    }
    cs.packet(hw::CpSetSubdrawSize{memory(program).patches * vertices});
    return changed;
}

/// A wave has as many patches as fit.
void Patches::pack(const AdrenoProgram& program, GroupList& groups) {
    groups.set(Group::Patches, pool_words(recorder_.pool, kMostPatchWords, [&](uint32_t* out) {
                   return put_patch_size(out, program, vertices_, screen_.device().chip());
               }));
}

}  // namespace terrazzo::adreno
