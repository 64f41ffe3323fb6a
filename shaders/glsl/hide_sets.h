// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sets of macros from which a token was expanded, and which it must not expand to again (the C preprocessor's
// rule against endless expansion). Equal sets have equal ids; 0 is the empty set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <vector>

namespace terrazzo::shaders::glsl {

class HideSets {
  public:
    using Id = uint32_t;
    HideSets() { sets_.push_back(&numbers_.try_emplace({}, 0).first->first); }

    [[nodiscard]] bool has(Id set, uint32_t macro) const {
        return set && std::binary_search(sets_[set]->begin(), sets_[set]->end(), macro);
    }
    [[nodiscard]] Id add(Id set, uint32_t macro) { return unite(set, single(macro)); }
    [[nodiscard]] Id unite(Id a, Id b) {
        if (a == b || !b) return a;
        if (!a) return b;
        return combine(united_, a, b, [](auto&&... x) { std::set_union(x...); });
    }
    [[nodiscard]] Id intersect(Id a, Id b) {
        if (a == b) return a;
        if (!a || !b) return 0;
        return combine(intersected_, a, b, [](auto&&... x) { std::set_intersection(x...); });
    }
    [[nodiscard]] size_t size(Id set) const { return sets_[set]->size(); }
    /// The sum of the sets' sizes plus a constant per set: a measure of their memory and time.
    [[nodiscard]] uint64_t cost() const { return cost_; }

  private:
    using Set = std::vector<uint32_t>;
    using Known = std::unordered_map<uint64_t, Id>;
    static constexpr uint64_t kSetCost = 64;

    Id number(Set&& set) {
        cost_ += kSetCost + set.size();
        const auto [at, fresh] = numbers_.try_emplace(std::move(set), Id(sets_.size()));
        if (fresh) sets_.push_back(&at->first);
        return at->second;
    }
    Id single(uint32_t macro) {
        const auto [at, fresh] = single_.try_emplace(macro, 0);
        if (fresh) at->second = number({macro});
        return at->second;
    }
    template <typename F>
    Id combine(Known& known, Id a, Id b, F&& f) {
        const auto [at, fresh] = known.try_emplace(uint64_t(a) << 32 | b, 0);
        if (!fresh) return at->second;
        Set set;
        f(sets_[a]->begin(), sets_[a]->end(), sets_[b]->begin(), sets_[b]->end(), std::back_inserter(set));
        return at->second = number(std::move(set));
    }

    std::map<Set, Id> numbers_;
    std::vector<const Set*> sets_;
    std::unordered_map<uint32_t, Id> single_;
    Known united_, intersected_;
    uint64_t cost_ = 0;
};

}  // namespace terrazzo::shaders::glsl
