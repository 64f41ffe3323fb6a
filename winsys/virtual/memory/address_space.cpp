// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/memory/address_space.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace terrazzo::winsys::virt {

uint32_t exception_code(const MemoryFault& fault) {
    switch (fault.reason) {
        case FaultReason::Unmapped:
            return 0xc3;
        case FaultReason::ReadOnly:
        case FaultReason::WriteOnly:
        case FaultReason::NotExecutable:
            return 0xcb;
        case FaultReason::OutOfRange:
            return 0xe0;
    }
    __builtin_trap();
}

std::string to_string(const MemoryFault& fault) {
    static const char* const kAccess[] = {"read of", "write to", "fetch of code at", "atomic on"};
    static const char* const kReason[] = {"nothing is mapped there", "the mapping is read-only",
                                          "the mapping is write-only", "the mapping is not executable",
                                          "the address is too large for the GPU"};
    char text[128];
    snprintf(text, sizeof text, "%s 0x%llx: %s", kAccess[static_cast<int>(fault.access)],
             static_cast<unsigned long long>(fault.va), kReason[static_cast<int>(fault.reason)]);
    return text;
}

bool AddressSpace::valid(uint64_t va, uint64_t size_B) const {
    return (va | size_B) % page_B_ == 0 && va <= end_ && size_B <= end_ - va;
}

AddressSpace::Mappings::const_iterator AddressSpace::find(uint64_t va) const {
    auto it = mappings_.upper_bound(va);
    if (it == mappings_.begin()) return mappings_.end();
    --it;
    return va < it->second.end ? it : mappings_.end();
}

Region AddressSpace::region_at(Mappings::const_iterator it, uint64_t va) const {
    const Mapping& m = it->second;
    uint8_t* const host = m.bo->host() + m.offset_B;
    if (!m.repeated) return {it->first, m.end, host, m.flags};
    const uint64_t page = va & ~(page_B_ - 1);
    return {page, page + page_B_, host, m.flags};
}

AddressSpace::Mappings::node_type AddressSpace::make_node(uint64_t va, Mapping mapping) {
    Mappings one;
    one.emplace(va, std::move(mapping));
    return one.extract(one.begin());
}

/// Removes [va, end) from the mappings. `spare` holds a node for the tail of a mapping that is cut in two.
/// Mappings that are removed whole move into `spare`, so that nothing is allocated or freed here.
void AddressSpace::clear_range(uint64_t va, uint64_t end, Mappings& spare) {
    auto it = mappings_.upper_bound(va);
    if (it != mappings_.begin()) --it;
    while (it != mappings_.end() && it->first < end) {
        if (it->second.end <= va) {
            ++it;
            continue;
        }
        const uint64_t first = it->first;
        Mapping& m = it->second;
        if (first < va && m.end > end) {  // a hole in the middle
            auto tail = spare.extract(spare.begin());
            tail.key() = end;
            tail.mapped() = m;
            if (!m.repeated) tail.mapped().offset_B += end - first;
            m.end = va;
            mappings_.insert(std::move(tail));
            return;
        }
        if (first < va) {
            m.end = va;
            ++it;
        } else if (m.end > end) {
            auto node = mappings_.extract(it);
            node.key() = end;
            if (!node.mapped().repeated) node.mapped().offset_B += end - first;
            mappings_.insert(std::move(node));
            return;
        } else {
            auto node = mappings_.extract(it++);
            spare.insert(std::move(node));
        }
    }
}

uint64_t AddressSpace::next_number() {
    static std::atomic<uint64_t> last{0};
    return ++last;
}

int AddressSpace::map(uint64_t va, uint64_t size_B, std::shared_ptr<BufferObject> bo, uint64_t offset_B,
                      MapFlags flags) {
    if (!valid(va, size_B) || offset_B % page_B_ || size_B > bo->size_B() || offset_B > bo->size_B() - size_B)
        return -EINVAL;
    return size_B ? insert(va, {va + size_B, std::move(bo), offset_B, flags}) : 0;
}

int AddressSpace::map_repeated(uint64_t va, uint64_t size_B, std::shared_ptr<BufferObject> bo,
                               uint64_t offset_B, MapFlags flags) {
    if (!valid(va, size_B) || offset_B % page_B_ || page_B_ > bo->size_B() ||
        offset_B > bo->size_B() - page_B_)
        return -EINVAL;
    return size_B ? insert(va, {va + size_B, std::move(bo), offset_B, flags, true}) : 0;
}

int AddressSpace::insert(uint64_t va, Mapping mapping) {
    const uint64_t end = mapping.end;
    auto node = make_node(va, std::move(mapping));
    Mappings spare;
    spare.emplace(UINT64_MAX, Mapping{});
    {
        std::unique_lock lock(mutex_);
        if (users_) unbound_.reserve(unbound_.size() + mappings_.size());
        clear_range(va, end, spare);
        mappings_.insert(std::move(node));
        if (users_)
            for (auto& [key, m] : spare)
                if (m.bo) unbound_.push_back(std::move(m.bo));
        epoch_.fetch_add(1, std::memory_order_release);
    }
    return 0;
}

int AddressSpace::unmap(uint64_t va, uint64_t size_B) {
    if (!valid(va, size_B)) return -EINVAL;
    Mappings spare;
    spare.emplace(UINT64_MAX, Mapping{});
    {
        std::unique_lock lock(mutex_);
        if (users_) unbound_.reserve(unbound_.size() + mappings_.size());
        clear_range(va, va + size_B, spare);
        if (users_)
            for (auto& [key, m] : spare)
                if (m.bo) unbound_.push_back(std::move(m.bo));
        epoch_.fetch_add(1, std::memory_order_release);
    }
    return 0;
}

void AddressSpace::unmap_object(const BufferObject& bo) {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    {
        std::shared_lock lock(mutex_);
        for (const auto& [va, m] : mappings_)
            if (m.bo.get() == &bo) ranges.emplace_back(va, m.end - va);
    }
    for (const auto& [va, size_B] : ranges)
        (void)unmap(va, size_B);
}

Region AddressSpace::lookup(uint64_t va) const {
    std::shared_lock lock(mutex_);
    const auto it = find(va);
    return it == mappings_.end() ? Region{} : region_at(it, va);
}

template <typename F>
bool AddressSpace::walk(uint64_t va, uint64_t size_B, Access access, MemoryFault* fault, F&& each) const {
    while (size_B) {
        const auto it = find(va);
        const bool mapped = it != mappings_.end();
        const Region region = mapped ? region_at(it, va) : Region{};
        if (!mapped || !region.allows(access)) {
            *fault = {va, access,
                      va >= end_                                           ? FaultReason::OutOfRange
                      : !mapped                                            ? FaultReason::Unmapped
                      : region.flags.write_only && access != Access::Write ? FaultReason::WriteOnly
                      : access == Access::Execute                          ? FaultReason::NotExecutable
                                                                           : FaultReason::ReadOnly};
            return false;
        }
        const uint64_t part_B = size_B < region.va_end - va ? size_B : region.va_end - va;
        each(region.at(va), part_B);
        va += part_B;
        size_B -= part_B;
    }
    return true;
}

bool AddressSpace::check(uint64_t va, uint64_t size_B, Access access, MemoryFault* fault) const {
    std::shared_lock lock(mutex_);
    return walk(va, size_B, access, fault, [](uint8_t*, uint64_t) {});
}

bool AddressSpace::read(uint64_t va, void* out, uint64_t size_B, MemoryFault* fault, Access access) const {
    std::shared_lock lock(mutex_);
    if (!walk(va, size_B, access, fault, [](uint8_t*, uint64_t) {})) return false;
    auto* to = static_cast<uint8_t*>(out);
    return walk(va, size_B, access, fault, [&](uint8_t* host, uint64_t part_B) {
        memcpy(to, host, part_B);
        to += part_B;
    });
}

bool AddressSpace::write(uint64_t va, const void* data, uint64_t size_B, MemoryFault* fault) {
    std::shared_lock lock(mutex_);
    if (!walk(va, size_B, Access::Write, fault, [](uint8_t*, uint64_t) {})) return false;
    auto* from = static_cast<const uint8_t*>(data);
    return walk(va, size_B, Access::Write, fault, [&](uint8_t* host, uint64_t part_B) {
        memcpy(host, from, part_B);
        from += part_B;
    });
}

std::vector<Region> AddressSpace::regions() const {
    std::shared_lock lock(mutex_);
    std::vector<Region> out;
    out.reserve(mappings_.size());
    for (const auto& [va, m] : mappings_)
        out.push_back({va, m.repeated ? va + page_B_ : m.end, m.bo->host() + m.offset_B, m.flags});
    return out;
}

AddressSpace::Use::Use(AddressSpace& space) : space_(space) {
    std::unique_lock lock(space_.mutex_);
    space_.users_++;
}

AddressSpace::Use::~Use() {
    std::vector<std::shared_ptr<BufferObject>> gone;
    std::unique_lock lock(space_.mutex_);
    if (--space_.users_ == 0) gone.swap(space_.unbound_);
    lock.unlock();  // objects are destroyed outside the lock
}

}  // namespace terrazzo::winsys::virt
