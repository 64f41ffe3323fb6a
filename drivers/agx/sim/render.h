// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A render: vertex work makes draws and their primitives, fragment work draws them tile by tile.
#pragma once

#include <memory>
#include <vector>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/sim/machine.h"
#include "drivers/common/units/window_setup.h"

namespace terrazzo::agx::sim {

/// A draw as its fragments see it.
struct BinnedDraw {
    hw::PppState ppp;           // all parts that the stream has set so far; the header says which
    uint64_t number = 0;        // Machine::draws
    uint32_t output_words = 0;  // of a vertex
};

/// Primitives of a draw in the window, in order, and the outputs of their vertices: words in the order of
/// st_var's numbers. Drawn primitives are clipped by all that the hardware clips by; scissors and the
/// region clip are applied when tiles are drawn.
struct BinnedBatch {
    size_t draw = 0;  // in BinnedRender::draws
    units::VertexOutputs outputs;
    std::vector<units::DrawnPrimitive> primitives;
};

/// What the vertex work of a render leaves to its fragment work: the parameter buffer.
struct BinnedRender {
    std::vector<std::unique_ptr<const BinnedDraw>> draws;
    std::vector<BinnedBatch> batches;
    uint64_t size_B = 0;
};

/// Which programs run at the begin and the end of tiles: a render that does not fit into the parameter buffer
/// is drawn in passes, of which all but the first load what the one before has stored.
struct TilePass {
    bool first = true, last = true;
};

/// Draws the tiles of a render.
class TileEngine {
  public:
    virtual ~TileEngine() = default;
    [[nodiscard]] virtual bool run(const RenderCommand& command, const BinnedRender& render, TilePass pass,
                                   Fault* fault) = 0;
    /// Adds what its cores have counted since the last call.
    virtual void count(host::Counters* counters) = 0;
    /// What the last run has stored, as host::Group::take_picture() wants it.
    [[nodiscard]] virtual bool take_picture(host::Picture* out, std::string* why) = 0;
};
std::unique_ptr<TileEngine> create_tile_engine(Machine& machine);

/// Walks VDM streams and shades vertices.
class VertexEngine {
  public:
    virtual ~VertexEngine() = default;
    /// Adds to *out. If it is larger than Machine::parameter_buffer_B, it is drawn by `tiles` and emptied;
    /// *pass says what the next call of tiles.run() does first.
    [[nodiscard]] virtual bool run(const RenderCommand& command, TileEngine& tiles, BinnedRender* out,
                                   TilePass* pass, Fault* fault) = 0;
    virtual void count(host::Counters* counters) = 0;
};
std::unique_ptr<VertexEngine> create_vertex_engine(Machine& machine);

/// Walks CDM streams and runs workgroups.
class ComputeEngine {
  public:
    virtual ~ComputeEngine() = default;
    [[nodiscard]] virtual bool run(const ComputeCommand& command, Fault* fault) = 0;
    virtual void count(host::Counters* counters) = 0;
};
std::unique_ptr<ComputeEngine> create_compute_engine(Machine& machine);

}  // namespace terrazzo::agx::sim
