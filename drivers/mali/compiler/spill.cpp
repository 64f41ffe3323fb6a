// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Spilled words lie in the thread's own memory.
#include "drivers/common/backend/spill.h"

#include "drivers/mali/compiler/allocate.h"

namespace terrazzo::mali::compiler {

namespace {

class Home {
  public:
    Home(Function& f, const backend::Node& node) : at_B_(f.add_local(node.count)) {}
    static bool has_room(const Function& f) {
        constexpr uint32_t kMaxOffset_B = 0x7ff0, kMaxNode_B = 16 * 8;
        return f.local_B + kMaxNode_B <= kMaxOffset_B;
    }
    /// No access goes over a multiple of 16 bytes.
    void access(bool store, uint32_t temporary, uint32_t index, uint32_t count, std::pmr::vector<Inst>& out) {
        for (uint32_t done = 0; done < count;) {
            const uint32_t at_B = at_B_ + (index + done) * 4;
            const uint32_t n = std::min(count - done, (16 - at_B % 16) / 4);
            out.push_back(local_access(store, temporary + done, n, at_B, isa::Slot(slots_++ % 3)));
            done += n;
        }
    }

  private:
    const uint32_t at_B_;
    unsigned slots_ = 0;
};

struct Spilled : Valhall {
    using SpillHome = Home;
    static constexpr size_t kSpillsAtOnce = 4;
    static constexpr uint32_t kAccessUnits = 0;
    static bool is_repeatable(const Inst& i) { return compiler::is_repeatable(i); }
};

}  // namespace

bool spill(Function& f, uint32_t place, const backend::UnitSet<Valhall>& limit, uint32_t room) {
    return backend::spill<Spilled>(f, place, limit, room);
}

}  // namespace terrazzo::mali::compiler
