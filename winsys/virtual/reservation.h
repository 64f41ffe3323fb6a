// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Implicit synchronisation (linux/dma-resv.h): who still reads or writes an object.
#pragma once

#include <memory>
#include <vector>

#include "winsys/virtual/fence.h"

namespace terrazzo::winsys::virt {

/// Under the device's lock.
class Reservation {
  public:
    void add(std::shared_ptr<Fence> fence, bool writes);
    /// Appends the fences that an access has to wait for: a read for writers, a write for readers, too.
    void collect(bool writes, std::vector<std::shared_ptr<Fence>>* out) const;

  private:
    struct Entry {
        std::shared_ptr<Fence> fence;
        bool writes;
    };
    std::vector<Entry> entries_;  // those that have signalled leave when one is added
};

}  // namespace terrazzo::winsys::virt
