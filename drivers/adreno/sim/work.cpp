// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/work.h"

#include <new>

#include "drivers/adreno/sim/blit/event.h"

namespace terrazzo::adreno::sim {

namespace {

class Units final : public Work {
  public:
    explicit Units(Machine& machine) : machine_(machine) {}
    bool draw(const DrawCall&, Fault* fault) override { return missing(fault, "draws"); }
    bool dispatch(const DispatchCall&, Fault* fault) override { return missing(fault, "dispatches"); }
    bool blit_event(Fault* fault) override { return sim::blit_event(machine_, fault); }
    bool blit_2d(Fault* fault) override { return missing(fault, "the 2D engine"); }
    /// There is no LRZ buffer in the model: nothing to clear.
    bool event(hw::EventType, Fault*) override { return true; }

  private:
    static bool missing(Fault* fault, const char* what) {
        return fail(fault, FaultKind::Hardware, std::string("not implemented: ") + what);
    }
    Machine& machine_;
};

}  // namespace

std::unique_ptr<Work> create_work(Machine& machine) {
    return std::unique_ptr<Work>(new (std::nothrow) Units(machine));
}

}  // namespace terrazzo::adreno::sim
