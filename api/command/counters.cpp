// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo counters`: runs a program whose contexts write what their device counts to a file (TERRAZZO_COUNTERS), and shows what comes. What is shown goes to
// stderr: stdout is the program's.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "api/command/commands.h"
#include "api/command/counters_series.h"
#include "api/command/file.h"

namespace terrazzo::command {
namespace {

constexpr int kLook_ms = 100;

int fail(const std::string& what) {
    std::fprintf(stderr, "terrazzo counters: %s\n", what.c_str());
    return 1;
}

/// On a terminal a table, drawn over the one before; else a line a sample.
class Display {
  public:
    void show(const CounterSeries& series) {
        if (!terminal_) {
            for (; shown_ < series.samples.size(); ++shown_)
                std::fprintf(stderr, "%s\n", sample_line(series, series.samples[shown_]).c_str());
            return;
        }
        if (series.samples.size() == shown_) return;
        shown_ = series.samples.size();
        if (height_) std::fprintf(stderr, "\x1b[%zuA", height_);
        const std::vector<std::string> lines = counter_table(series);
        for (const std::string& line : lines)
            std::fprintf(stderr, "\x1b[2K%s\n", line.c_str());
        height_ = lines.size();
    }
    void finish(const CounterSeries& series) {
        show(series);
        if (!terminal_)
            for (const std::string& line : counter_table(series))
                std::fprintf(stderr, "%s\n", line.c_str());
    }

  private:
    const bool terminal_ = isatty(STDERR_FILENO);
    size_t shown_ = 0, height_ = 0;
};

/// The lines that a file has got since the last look.
class Lines {
  public:
    explicit Lines(int file) : file_(file) {}
    template <class F>
    void read_new(F&& f) {
        char piece[4096];
        for (ssize_t n; (n = read(file_, piece, sizeof piece)) > 0;)
            rest_.append(piece, size_t(n));
        size_t begin = 0;
        for (size_t end; (end = rest_.find('\n', begin)) != rest_.npos; begin = end + 1)
            f(std::string_view(rest_).substr(begin, end - begin));
        rest_.erase(0, begin);
    }

  private:
    const int file_;
    std::string rest_;
};

int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

int counters(const CountersOptions& options) {
    char path[] = "/tmp/terrazzo-counters-XXXXXX";
    const int file = mkostemp(path, O_CLOEXEC);
    if (file < 0) return fail(std::string(path) + ": " + std::generic_category().message(errno));
    const pid_t child = fork();
    if (child == 0) {
        setenv("TERRAZZO_COUNTERS", path, 1);
        _exit(run(options.run));
    }
    if (child < 0) {
        const int error = errno;
        close(file);
        unlink(path);
        return fail("no process: " + std::generic_category().message(error));
    }
    CounterSeries series;
    Display display;
    Lines lines(file);
    const auto look = [&] { lines.read_new([&](std::string_view line) { series.add_line(line); }); };
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        look();
        display.show(series);
        (void)poll(nullptr, 0, kLook_ms);
    }
    look();
    unlink(path);
    close(file);
    const int code = exit_code(status);
    if (series.samples.empty()) {
        fail(series.names.empty() ? "no context of the program's has a device that counts"
                                  : "nothing was drawn");
        return code ? code : 1;
    }
    display.finish(series);
    std::string why;
    if (!options.html.empty() &&
        !write_file(options.html, counters_html(series, options.run.command[0]), &why))
        return fail(options.html + ": " + why);
    return code;
}

}  // namespace terrazzo::command
