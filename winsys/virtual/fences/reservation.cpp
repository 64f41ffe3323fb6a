// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/fences/reservation.h"

#include <utility>

#include "winsys/virtual/fences/foreign_fences.h"

namespace terrazzo::winsys::virt {

bool Reservation::tell(const Entry& entry) const {
    if (!file_ || entry.fence->signaled()) return true;
    const uint64_t use = file_->begin(entry.writes);
    if (!use) return false;
    try {
        entry.fence->on_signal([file = file_, use](int) { file->end(use); });
    } catch (...) {
        file_->end(use);
        throw;
    }
    return true;
}

bool Reservation::share(std::shared_ptr<MemfdUses> file) {
    if (file_) return true;
    file_ = std::move(file);
    bool told = true;
    for (const Entry& e : entries_)
        told &= tell(e);
    return told;
}

bool Reservation::add(std::shared_ptr<Fence> fence, bool writes) {
    std::erase_if(entries_, [](const Entry& e) { return e.fence->signaled(); });
    entries_.push_back({std::move(fence), writes});
    return tell(entries_.back());
}

void Reservation::collect(bool writes, ForeignFences* foreign,
                          std::vector<std::shared_ptr<Fence>>* out) const {
    for (const Entry& e : entries_)
        if ((writes || e.writes) && !e.fence->signaled()) out->push_back(e.fence);
    if (file_ && foreign)
        if (std::shared_ptr<Fence> others = foreign->of_others(file_, writes))
            out->push_back(std::move(others));
}

}  // namespace terrazzo::winsys::virt
