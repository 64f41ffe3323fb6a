// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A draw of the VDM: indices, vertex programs, primitives in the window.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "drivers/agx/sim/bound_program.h"
#include "drivers/agx/sim/render.h"
#include "drivers/agx/sim/resources/resource_units.h"
#include "drivers/common/units/assembly.h"
#include "drivers/common/units/vertices.h"

namespace terrazzo::agx::sim {

/// What an IndexList draws, with the words of an indirect one.
struct DrawCall {
    hw::Primitive primitive = hw::Primitive::Triangles;
    bool indexed = false;
    units::IndexArray indices;  // of an indexed draw
    uint32_t first = 0;         // vertex of one without indices
    uint32_t count = 0, instances = 1;
};

/// Where words of a vertex's outputs are.
struct OutputPlaces {
    uint32_t words = 0;  // that the program stores
    uint8_t point_size = units::WindowState::kNoWord, layer_view = units::WindowState::kNoWord,
            distance = units::WindowState::kNoWord;
    uint8_t distances = 0;  // a bit for each clip distance
};

/// The unit of vertex programs.
class VertexUnits final : public ResourceUnits {
  public:
    bool store_varying(UnitCall& call, std::string* why) override;
    uint32_t* outputs = nullptr;  // of the first thread
    uint32_t stride = 0, words = 0;
};

class GeometryDraw {
  public:
    explicit GeometryDraw(Machine& machine) : machine_(machine) {}
    void begin_command();
    /// Appends the draw's batches to *out. `full` is called after each batch; false ends the draw.
    template <class Full>
    [[nodiscard]] bool run(const RenderCommand& command, const hw::PppState& ppp, const hw::VdmState& vdm,
                           const DrawCall& call, BinnedRender* out, Full&& full, Fault* fault) {
        if (!begin(command, ppp, vdm, call, fault)) return false;
        const uint64_t total = uint64_t(primitives_.count()) * call.instances;
        for (uint64_t at = 0; at < total;) {
            if (machine_.host.should_stop()) return true;
            if (!run_batch(&at, total, out, fault) || !full()) return false;
        }
        return true;
    }
    void count(host::Counters* counters) const;

  private:
    struct Worker {
        explicit Worker(Machine& m) : core(m.host.space(), units) {}
        VertexUnits units;
        Core core;
        SimdGroup group;
    };
    bool begin(const RenderCommand& command, const hw::PppState& ppp, const hw::VdmState& vdm,
               const DrawCall& call, Fault* fault);
    bool run_batch(uint64_t* at, uint64_t total, BinnedRender* out, Fault* fault);
    bool shade(units::VertexOutputs* out, Fault* fault);
    bool shade_group(Worker& w, size_t first, units::VertexOutputs* out, Fault* fault) const;
    bool find_places(const hw::PppState& ppp, const hw::VdmState& vdm, Fault* fault);
    bool find_window(const RenderCommand& command, const hw::PppState& ppp, Fault* fault);
    template <class... Part>
    bool refuse(Fault* fault, const Part&... part) const {
        return fail(fault, Exception::BadCommand, "draw ", machine_.draws, ": ", part...);
    }

    Machine& machine_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::optional<BoundProgram> program_;
    OutputPlaces places_;
    bool discards_ = false;
    unsigned provoking_ = 0;
    units::Primitives primitives_;
    units::BatchVertices found_;
    std::vector<units::VertexInvocation> vertices_;
    units::WindowSetup window_;
};

}  // namespace terrazzo::agx::sim
