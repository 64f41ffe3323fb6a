// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RUN_IDVS: a shader computes positions of vertices, primitives are clipped and culled, another shader
// computes varyings of the visible ones, and records for the fragment job are written. Shaders and set-up run
// on several threads.
#pragma once

#include <memory>
#include <vector>

#include "drivers/mali/sim/tiler/heap.h"
#include "drivers/mali/sim/tiler/indices.h"
#include "drivers/mali/sim/tiler/records.h"

namespace terrazzo::mali::sim {

class Idvs {
  public:
    /// `machine` outlives it.
    explicit Idvs(Machine& machine);
    ~Idvs();
    /// Results and the reported fault do not depend on the number of threads.
    JobStatus run(const hw::CsRunIdvs& how, const CsRegisters& registers, HeapUse& heap,
                  DrawProgress* progress, Fault* fault);
    /// Adds the instructions and texture fetches of all draws.
    void count(host::Counters* counters) const;

  private:
    struct Draw;
    struct Batch;
    struct Segment;
    struct Worker;
    bool decode(const hw::CsRunIdvs& how, const CsRegisters& r, TilerMemory& memory, Draw* d, Fault* fault);
    bool decode_shaders(const hw::CsRunIdvs& how, const CsRegisters& r, Draw* d, Fault* fault);
    void begin(Worker& worker, const Draw& d);
    template <class Run>
    JobStatus run_parts(const Draw& d, size_t parts, unsigned threads, Run&& run, Fault* fault);
    JobStatus find_vertices(const Draw& d, uint64_t at, uint64_t stop, Batch* b, Fault* fault);
    JobStatus shade_positions(const Draw& d, Batch* b, Fault* fault);
    static int32_t layer_of(const Draw& d, const Batch& b, const uint32_t* corner, unsigned corners);
    JobStatus set_up(const Draw& d, Batch* b, Fault* fault);
    JobStatus write(const Draw& d, TilerMemory& memory, uint64_t* draw_va, Batch* b, Segment* s,
                    Fault* fault);
    JobStatus store(const Draw& d, Batch* b, Fault* fault);
    JobStatus copy_varyings(const Draw& d, const Batch& b, Fault* fault);

    Machine& machine_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::unique_ptr<Batch> batch_;  // kept for its memory
};

}  // namespace terrazzo::mali::sim
