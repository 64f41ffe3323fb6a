// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How a vendor's compiler runs its passes: in turn until one fails, validated after each; and in several ways,
// of which the best result is kept. The vendor gives the passes, the ways and what is better.
#pragma once

#include <optional>
#include <utility>

#include "drivers/common/backend/validate.h"

namespace terrazzo::backend {

/// The passes of one attempt. After a failure (f.error) the rest does not run.
template <TextTarget T>
class Passes {
  public:
    Passes(Function<T>& f, bool validate) : f_(f), validate_(validate) {}
    /// Runs pass(). What is wrong after it becomes the function's error, with `name`.
    template <typename F>
    void then(const char* name, const F& pass) {
        if (!f_.error.empty()) return;
        pass();
        if (validate_) validate_after(f_, name);
    }

  private:
    Function<T>& f_;
    const bool validate_;
};

/// Compiles in one way after another, until is_enough(*best): make(way) gives a result, which becomes the best
/// where is_better(result, *best), or where there was none.
template <typename Result, typename Ways, typename Make, typename Better, typename Enough>
void try_ways(std::optional<Result>& best, const Ways& ways, const Make& make, const Better& is_better,
              const Enough& is_enough) {
    for (const auto& way : ways) {
        if (best && is_enough(*best)) return;
        Result result = make(way);
        if (!best || is_better(result, *best)) best.emplace(std::move(result));
    }
}

}  // namespace terrazzo::backend
