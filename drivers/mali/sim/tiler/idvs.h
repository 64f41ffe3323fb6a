// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RUN_IDVS: a shader computes positions of vertices, primitives are clipped and culled, another shader
// computes varyings of the visible ones, and records for the fragment job are written.
#pragma once

#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/tiler/heap.h"
#include "drivers/mali/sim/tiler/indices.h"
#include "drivers/mali/sim/tiler/records.h"
#include "drivers/mali/sim/units/stage.h"

namespace terrazzo::mali::sim {

class BatchVertices;

class Idvs {
  public:
    Idvs(Machine& machine, Core& core) : machine_(machine), core_(core) {}
    JobStatus run(const hw::CsRunIdvs& how, const CsRegisters& registers, HeapUse& heap,
                  DrawProgress* progress, Fault* fault);

  private:
    struct Draw;
    struct Batch;
    bool decode(const hw::CsRunIdvs& how, const CsRegisters& r, TilerMemory& memory, Draw* d, Fault* fault);
    bool decode_shaders(const hw::CsRunIdvs& how, const CsRegisters& r, Draw* d, Fault* fault);
    bool shade_positions(const Draw& d, uint32_t instance, Batch* b, Fault* fault);
    bool read_positions(const Draw& d, const uint32_t* vertices, unsigned count, BatchVertices* out,
                        Fault* fault);
    void set_up(const Draw& d, size_t first, size_t end, Batch* b);
    void copy_varyings(uint32_t size_B, Batch* b);
    bool shade_varyings(const Draw& d, uint32_t instance, Batch* b, Fault* fault);
    JobStatus write(const Draw& d, uint32_t instance, TilerMemory& memory, uint64_t* draw_va, Batch* b,
                    Fault* fault);
    bool run_warp(const Draw& d, const ShaderState& shader, Warp& warp, const uint32_t* ids,
                  const uint32_t* slots, unsigned count, uint32_t instance, Fault* fault);

    Machine& machine_;
    Core& core_;
};

}  // namespace terrazzo::mali::sim
