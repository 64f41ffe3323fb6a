// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/reservation.h"

#include <utility>

namespace terrazzo::winsys::virt {

void Reservation::add(std::shared_ptr<Fence> fence, bool writes) {
    std::erase_if(entries_, [](const Entry& e) { return e.fence->signaled(); });
    entries_.push_back({std::move(fence), writes});
}

void Reservation::collect(bool writes, std::vector<std::shared_ptr<Fence>>* out) const {
    for (const Entry& e : entries_)
        if ((writes || e.writes) && !e.fence->signaled()) out->push_back(e.fence);
}

}  // namespace terrazzo::winsys::virt
