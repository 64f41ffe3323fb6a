// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Submits of our Adreno driver, with the memory that they saw. The fuzz target damages them and runs them
// again on the virtual GPU.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "drivers/adreno/sim/cp/command_processor.h"
#include "drivers/adreno/sim/work.h"

namespace terrazzo::test {

/// A GPU's memory when a submit begins. restore() undoes the changes of a run; its cost depends on how much
/// was changed.
class SnapshotSpace final : public window::Space {
  public:
    SnapshotSpace() = default;
    ~SnapshotSpace() override;
    SnapshotSpace(const SnapshotSpace&) = delete;
    SnapshotSpace& operator=(const SnapshotSpace&) = delete;

    /// Bytes of a mapping, a multiple of 4096.
    void add(uint64_t va, const uint8_t* bytes, uint64_t size_B, bool writable, bool executable);
    void restore();
    /// Addresses of the words that are not zero, in order.
    [[nodiscard]] std::vector<uint64_t> places() const;
    /// The value at an address.
    uint32_t* word(uint64_t va);

    window::Mapping find(uint64_t va) override;
    uint64_t epoch() const override { return 0; }

  private:
    std::map<uint64_t, window::Mapping> mappings_;  // by their end
};

struct AdrenoSubmit {
    std::vector<adreno::sim::IndirectBuffer> commands;
    SnapshotSpace memory;
    std::vector<uint64_t> places;  // words that can be damaged
};

/// Small scenes, and the submits that the driver generates for each. Empty if the driver could not start.
[[nodiscard]] std::vector<std::unique_ptr<AdrenoSubmit>> record_adreno_submits();

}  // namespace terrazzo::test
