// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The slow paths of Window, for which a comparison does not suffice.
#include "drivers/common/window/window.h"

#include <algorithm>
#include <cstdio>

namespace terrazzo::window {

std::string to_string(const AccessFault& f) {
    static constexpr const char* kWhat[] = {"read of", "write to", "execution of"};
    char text[512];
    std::snprintf(text, sizeof(text), "%s %llu bytes at 0x%llx: %s", kWhat[unsigned(f.access)],
                  static_cast<unsigned long long>(f.size_B), static_cast<unsigned long long>(f.va),
                  !f.why.empty()                ? f.why.c_str()
                  : !f.mapped                   ? "not mapped"
                  : f.access == Access::Execute ? "mapped, but not executable"
                                                : "mapped read-only");
    return text;
}

void Window::refresh() {
    if (const uint64_t now = space_->epoch(); now != epoch_) {
        epoch_ = now;
        recent_ = {};
    }
}

void Window::refused(uint64_t va, uint64_t size_B, Access access, bool mapped) {
    fault_ = {va, size_B, access, mapped, access == Access::Read ? space_->refusal(va) : std::string()};
}

uint8_t* Window::slow(uint64_t va, uint64_t size_B, Access access) {
    const Mapping m = space_->find(va);
    if (m.end == 0 || va < m.begin || va >= m.end) {
        refused(va, size_B, access, false);
        return nullptr;
    }
    if (!m.allows(access)) {
        refused(va, size_B, access, true);
        return nullptr;
    }
    recent_[next_] = m;
    next_ = (next_ + 1) % recent_.size();
    if (size_B > m.end - va) {
        refused(m.end, size_B - (m.end - va), access, false);
        return nullptr;
    }
    return m.host + (va - m.begin);
}

bool Window::copy_pieces(uint64_t va, uint8_t* data, uint64_t size_B, Access access) {
    while (size_B) {
        const Mapping m = space_->find(va);
        if (m.end == 0 || !m.allows(access)) {
            refused(va, size_B, access, m.end != 0);
            return false;
        }
        const uint64_t piece_B = std::min(size_B, m.end - va);
        uint8_t* const host = m.host + (va - m.begin);
        if (access == Access::Write)
            std::memcpy(host, data, piece_B);
        else
            std::memcpy(data, host, piece_B);
        va += piece_B;
        data += piece_B;
        size_B -= piece_B;
    }
    return true;
}

}  // namespace terrazzo::window
