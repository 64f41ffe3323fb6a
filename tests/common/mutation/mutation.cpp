// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/mutation.h"

#include <algorithm>
#include <random>

#include "tests/common/mutation/children.h"

namespace terrazzo::test {

std::string Replay::run(const ReplayOptions& with) {
    options = with;
    const bool plain = !options.change && !options.damage && !options.branch;
    if (plain) places_.clear();
    made_.clear();
    memory.begin_run();
    const std::string report = run_all();
    if (report.empty() && plain && options.variant == 0) memory.end_first_run();
    // The result is compared without the change itself.
    for (const Change& c : made_)
        if (uint64_t* const w = memory.word(c.va); w && *w == (options.spoil ? c.spoiled : c.without))
            *w = c.word;
    return report;
}

void Replay::offer(const Place& place) {
    if (options.damage) return;
    if (options.change) {
        if (&branched_ != options.change && place.is_same(*options.change)) apply(place);
    } else if (!options.branch) {
        places_.push_back(place);
    } else if (options.branch(place)) {
        branched_ = place;
        options.change = &branched_;
        apply(place);
    }
}

void Replay::apply(const Place& place) {
    for (const Change& c : place.changes)
        if (uint64_t* const w = memory.word(c.va)) {
            *w = options.spoil ? c.spoiled : c.without;
            made_.push_back(c);
        }
}

void Replay::begin_submission(uint64_t number, const std::function<bool(uint64_t va)>& not_hosts) {
    memory.apply(recording.submissions[number], not_hosts);
    if (!options.damage) return;
    for (const Damage& d : *options.damage)
        if (d.submission == number) *memory.word(d.va) = d.value;
}

namespace {

/// The result for one place. Empty texts: it was not noticed.
struct Trial {
    const Place* place;
    std::string without, spoiled;
};

/// Runs the recording once unchanged, and from each place a child process without it. Returns an error, or
/// "".
std::string try_all(Replay& replay, const std::vector<Trial*>& trials, unsigned variant, bool spoil,
                    uint64_t expected, unsigned jobs) {
    if (trials.empty()) return "";
    Children children(jobs);
    std::vector<bool> seen(trials.size());
    const auto branch = [&](const Place& p) {
        for (size_t i = 0; i < trials.size(); ++i) {
            if (seen[i] || !p.is_same(*trials[i]->place)) continue;
            seen[i] = true;
            return children.begin([to = spoil ? &trials[i]->spoiled : &trials[i]->without](
                                      const std::string& text) { *to = text; });
        }
        return false;
    };
    std::string report = replay.run({.spoil = spoil, .variant = variant, .branch = branch});
    if (children.is_child()) {
        if (report.empty() && variant == 0 && replay.result() != expected)
            report = "something else comes out";
        children.end(report);
    }
    const std::string lost = children.wait();
    return report.empty() ? lost : "the second time: " + report;
}

}  // namespace

Outcome mutate(Replay& replay, unsigned every, unsigned first, bool ours, unsigned jobs) {
    Outcome out;
    if (out.broken = replay.run({}); !out.broken.empty()) return out;
    const uint64_t expected = replay.result();
    std::vector<Place> places = replay.places();
    std::vector<unsigned> variants = {0};
    for (unsigned v = 1; v < replay.variants(); ++v) {
        const std::string report = replay.run({.variant = v});
        if (!report.empty()) {
            if (!ours) continue;
            out.broken = "in its variant " + std::to_string(v) + ": " + report;
            return out;
        }
        variants.push_back(v);
        // Shaders that only this variant runs.
        const size_t known = places.size();
        for (const Place& p : replay.places()) {
            bool is_known = !p.shader;
            for (size_t i = 0; i < known && !is_known; ++i)
                is_known = places[i].is_same(p);
            if (!is_known) places.push_back(p);
        }
    }
    out.all = unsigned(places.size());
    std::vector<Trial> trials;
    for (size_t i = first % every; i < places.size(); i += every)
        trials.push_back({&places[i], {}, {}});
    out.tried = unsigned(trials.size());
    const auto open = [&](const Trial& t, bool spoil) { return (spoil ? t.spoiled : t.without).empty(); };
    for (const bool spoil : {false, true})
        for (const unsigned v : variants) {
            std::vector<Trial*> left;
            for (Trial& t : trials)
                if (open(t, false) && open(t, spoil)) left.push_back(&t);
            out.broken = try_all(replay, left, v, spoil, expected, jobs);
            if (!out.broken.empty()) return out;
        }
    for (const Trial& t : trials) {
        if (!t.without.empty()) {
            ++out.noticed;
            out.reports.push_back(t.place->what + ": " + t.without);
        } else if (t.spoiled.empty()) {
            ++out.unreached;
        } else {
            out.unnoticed.push_back(t.place->what);
        }
    }
    return out;
}

DamageOutcome damage(Replay& replay, const Recording& recording, unsigned count, unsigned seed) {
    DamageOutcome out;
    if (out.broken = replay.run({}); !out.broken.empty()) return out;
    std::mt19937_64 random(seed);
    const auto below = [&](uint64_t n) { return random() % n; };
    for (unsigned n = 0; n < count; ++n) {
        std::vector<Damage> damages(1 + below(4));
        for (Damage& d : damages) {
            do
                d.submission = below(recording.submissions.size());
            while (recording.submissions[d.submission].changes.empty());
            // A long range is usually vertices or texels: each range is equally likely.
            const std::vector<Words>& changes = recording.submissions[d.submission].changes;
            const Words& run = changes[below(changes.size())];
            const uint64_t at = below(run.words.size()), was = run.words[at];
            constexpr uint64_t kEdges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000};
            const unsigned half = 32 * unsigned(below(2));
            d.va = run.va + 8 * at;
            switch (below(4)) {
                case 0:
                    d.value = was + ((below(65) - 32) << half);
                    break;
                case 1:
                    d.value = (was & ~(0xffffffffull << half)) | kEdges[below(std::size(kEdges))] << half;
                    break;
                case 2:
                    d.value = random() >> below(64);
                    break;
                default:
                    d.value = was ^ 1ull << below(64);
            }
        }
        const std::string text = replay.run({.damage = &damages});
        if (text == kUnexplained) {
            out.broken = "damaged (run " + std::to_string(n) + "): " + text;
            return out;
        }
        ++(text.empty() ? out.unharmed : text == kStopped ? out.stopped : out.reports);
    }
    return out;
}

}  // namespace terrazzo::test
