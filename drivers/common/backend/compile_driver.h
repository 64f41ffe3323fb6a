// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs a vendor's passes in order until one fails, and validates the code after each. Compiles with several
// sets of options and keeps the best result. The vendor passes the passes, the options and the comparison.
#pragma once

#include <optional>
#include <utility>

#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/validate.h"

namespace terrazzo::backend {

/// The passes of one attempt. After a failure (f.error) the rest does not run.
template <Target T>
class Passes {
  public:
    Passes(Function<T>& f, bool validate) : f_(f), validate_(validate) {}
    /// Selection fills the function with code.
    template <typename F>
    void begin(const F& select) {
        then("selection", select);
        then("linking", [&] { f_.link(); });
    }
    /// Shares equal values, and removes what is not read.
    template <typename F>
    void clean(const F& number_values) {
        then("value numbering", number_values);
        then("dead code", [&] { remove_dead(f_); });
    }
    /// Runs pass(). If the code is invalid after it, the function fails with an error that contains `name`.
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

/// Whether `a` is better than `b`: one without an error, then the one with smaller costs(binary), a tuple
/// with the most important costs first.
template <typename Binary, typename Costs>
[[nodiscard]] bool is_better(const Binary& a, const Binary& b, const Costs& costs) {
    if (!a.error.empty() || !b.error.empty()) return a.error.empty();
    return costs(a) < costs(b);
}

/// Calls make(way) for each of `ways` until is_enough(*best). A result replaces `*best` if best is empty, or
/// if is_better(result, *best).
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
