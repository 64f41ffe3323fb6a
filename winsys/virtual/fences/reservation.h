// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Implicit synchronisation (linux/dma-resv.h): the fences of an object's readers and writers. Each process
// that shares the object has a Reservation of its own. The locks on the object's memfd show it the other
// processes' uses.
#pragma once

#include <memory>
#include <vector>

#include "winsys/memory/memfd_uses.h"
#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {

class ForeignFences;

/// All methods run under the device's lock.
class Reservation {
  public:
    /// Other processes may use the memory from now on. They see each use until its fence signals. False: at
    /// least one use that is not finished cannot be shown to them.
    bool share(std::shared_ptr<MemfdUses> file);
    /// False: other processes share the memory and cannot be shown this use.
    bool add(std::shared_ptr<Fence> fence, bool writes);
    /// Appends the fences that an access must wait for: a read waits for writers, a write for readers as
    /// well. `foreign` creates fences of other processes' uses; if null, these are ignored.
    void collect(bool writes, ForeignFences* foreign, std::vector<std::shared_ptr<Fence>>* out) const;

  private:
    struct Entry {
        std::shared_ptr<Fence> fence;
        bool writes;
    };
    [[nodiscard]] bool tell(const Entry& entry) const;

    std::vector<Entry> entries_;  // signalled entries are removed when one is added
    std::shared_ptr<MemfdUses> file_;
};

}  // namespace terrazzo::winsys::virt
