// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Implicit synchronisation (linux/dma-resv.h): who still reads or writes an object. Processes that share the object each have a part of
// this; they see each other's uses by the locks of its memfd.
#pragma once

#include <memory>
#include <vector>

#include "winsys/memory/memfd_uses.h"
#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {

class ForeignFences;

/// Under the device's lock.
class Reservation {
  public:
    /// Others may have the memory from now on: they see what uses it until its fence signals. False: they cannot be told of all that is
    /// not finished now.
    bool share(std::shared_ptr<MemfdUses> file);
    /// False: others have the memory and cannot be told.
    bool add(std::shared_ptr<Fence> fence, bool writes);
    /// Appends the fences that an access has to wait for: a read for writers, a write for readers, too. `foreign` makes fences of what
    /// others do; null: those do not matter.
    void collect(bool writes, ForeignFences* foreign, std::vector<std::shared_ptr<Fence>>* out) const;

  private:
    struct Entry {
        std::shared_ptr<Fence> fence;
        bool writes;
    };
    [[nodiscard]] bool tell(const Entry& entry) const;

    std::vector<Entry> entries_;  // those that have signalled leave when one is added
    std::shared_ptr<MemfdUses> file_;
};

}  // namespace terrazzo::winsys::virt
