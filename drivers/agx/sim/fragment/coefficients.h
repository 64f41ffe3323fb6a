// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Coefficient registers: what a fragment program interpolates. Their bindings say which varying slot each of
// them has; slots are W, then Z if it is selected, then the vertex program's words after the position.
// Sources: Mesa 25.0.7, docs/drivers/asahi.rst; src/asahi/compiler/agx_nir_lower_interpolation.c (what ldcf
// returns).
#pragma once

#include <array>
#include <string>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/sim/core/units.h"
#include "drivers/common/units/edges.h"
#include "drivers/common/units/fragment_primitive.h"
#include "drivers/common/units/fragment_quads.h"

namespace terrazzo::agx::sim {

inline constexpr unsigned kGroupQuads = kThreads / 4;
using FragmentBatch = units::FragmentQuads<units::FragmentPrimitive, kGroupQuads>;

/// Where a coefficient register's values come from.
struct Coefficient {
    enum class Source : uint8_t { Unbound, W, Z, Word, PointX, PointY, PrimitiveId, Weight };
    Source source = Source::Unbound;
    hw::ShadeModel model = hw::ShadeModel::Linear;
    uint16_t number = 0;  // the vertex's word; Weight: of the second or third vertex
    bool is_flat() const {
        return source == Source::PrimitiveId || (source == Source::Word && model != hw::ShadeModel::Linear &&
                                                 model != hw::ShadeModel::Perspective);
    }
};

class Coefficients {
  public:
    /// `bindings_va`: a hw::CfHeader and its bindings. `output_words`: of a vertex.
    [[nodiscard]] bool load(window::Window& memory, uint64_t bindings_va, const hw::OutputSelect& select,
                            bool point_grows_up, uint32_t output_words, std::string* why);
    /// iter, iterproj, ldcf for the quads of a batch. `depth`: clamps positions' depths.
    bool run(const FragmentBatch& batch, const units::SamplePattern& pattern, UnitCall& call,
             std::string* why) const;

  private:
    /// The value at a position, before a division by 1/w.
    units::PlaneEquation plane(const Coefficient& c, const units::FragmentPrimitive& p) const;
    uint32_t flat(const Coefficient& c, const units::FragmentPrimitive& p) const;
    bool interpolate(const FragmentBatch& batch, const units::SamplePattern& pattern, UnitCall& call,
                     std::string* why) const;
    /// Coefficient `first` + n, for all n below `count`; null: one of them is not bound.
    const Coefficient* find(unsigned first, unsigned count, std::string* why) const;

    std::array<Coefficient, 256> registers_;
    bool point_grows_up_ = false;
};

}  // namespace terrazzo::agx::sim
