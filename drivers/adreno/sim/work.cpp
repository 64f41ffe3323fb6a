// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/work.h"

#include <new>

namespace terrazzo::adreno::sim {

namespace {

class Units final : public Work {
  public:
    bool draw(const DrawCall&, Fault* fault) override { return missing(fault, "draws"); }
    bool dispatch(const DispatchCall&, Fault* fault) override { return missing(fault, "dispatches"); }
    bool blit_event(Fault* fault) override { return missing(fault, "BLIT events"); }
    bool blit_2d(Fault* fault) override { return missing(fault, "the 2D engine"); }
    /// There is no LRZ buffer in the model: nothing to clear.
    bool event(hw::EventType, Fault*) override { return true; }

  private:
    static bool missing(Fault* fault, const char* what) {
        return fail(fault, FaultKind::Hardware, std::string("not implemented: ") + what);
    }
};

}  // namespace

std::unique_ptr<Work> create_work(Machine&) {
    return std::unique_ptr<Work>(new (std::nothrow) Units);
}

}  // namespace terrazzo::adreno::sim
