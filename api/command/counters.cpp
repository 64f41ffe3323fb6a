// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo counters`: runs a program whose contexts write their devices' counters to a file
// (TERRAZZO_COUNTERS), and shows them. The output goes to stderr: stdout is the program's.
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "api/command/commands.h"
#include "api/command/counters_series.h"
#include "api/command/egl_loader.h"
#include "api/command/file.h"
#include "api/command/try_context.h"

namespace terrazzo::command {
namespace {

constexpr int kLook_ms = 100;
/// Contexts of a device with counters have this extension.
constexpr const char* kCountsExtension = "GL_AMD_performance_monitor";

int fail(const std::string& what) {
    std::fprintf(stderr, "terrazzo counters: %s\n", what.c_str());
    return 1;
}

/// On a terminal a table that is redrawn; otherwise a line for each sample with counts that are not 0.
class Display {
  public:
    void show(const CounterSeries& series) {
        if (!terminal_) {
            for (; shown_ < series.samples.size(); ++shown_)
                if (const std::string line = sample_line(series, series.samples[shown_]); line.back() != ':')
                    std::fprintf(stderr, "%s\n", line.c_str());
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

/// The lines that were added to a file since the last call.
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

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// SIGINT, SIGTERM and SIGHUP end the program, not this process: its counts are still shown, and the
/// temporary file is removed. A terminal sends them to the program as well. A signal that was only sent to
/// this process is passed on. A second one ends a program that did not react.
class Signals {
  public:
    Signals() {
        struct sigaction action {};
        action.sa_sigaction = [](int signal, siginfo_t* info, void*) {
            received_ = signal;
            pass_on_ = info->si_code <= 0;
            count_ = count_ + 1;
        };
        action.sa_flags = SA_SIGINFO;
        for (size_t i = 0; i < std::size(kSignals); ++i)
            sigaction(kSignals[i], &action, &before_[i]);
    }
    ~Signals() { restore(); }
    Signals(const Signals&) = delete;
    /// Restores the handlers for the child.
    void restore() {
        for (size_t i = 0; i < std::size(kSignals); ++i)
            sigaction(kSignals[i], &before_[i], nullptr);
    }
    /// Passes on signals that arrived since the last call.
    void hand_on(pid_t child) {
        const int count = count_;
        if (count == seen_) return;
        if (count > 1)
            kill(child, SIGKILL);
        else if (pass_on_)
            kill(child, received_);
        seen_ = count;
    }

  private:
    static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
    inline static volatile std::sig_atomic_t received_ = 0, pass_on_ = 0, count_ = 0;
    struct sigaction before_[std::size(kSignals)]{};
    int seen_ = 0;
};

/// Why the device that programs get has no counters: tested in a separate process, like a program. "": it has
/// some, or that is unknown.
std::string why_it_does_not_count(const RunOptions& options) {
    int answer[2];
    if (pipe2(answer, O_CLOEXEC) != 0) return "";
    const pid_t child = fork();
    if (child == 0) {
        if (!options.device.empty()) setenv("TERRAZZO_DEVICE", options.device.c_str(), 1);
        unsetenv("TERRAZZO_COUNTERS");
        std::string why, text;
        Egl egl;
        if (egl.load(&why)) {
            const EGLDisplay display =
                egl.GetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
            TryContext context(egl, display);
            if (egl.initialize(display, &why) && context.create(&why) &&
                context.text(GL_EXTENSIONS).find(kCountsExtension) == std::string::npos)
                text = context.text(GL_RENDERER) + " counts nothing (it has no " + kCountsExtension + ")";
        }
        (void)!write(answer[1], text.data(), text.size());
        _exit(0);
    }
    close(answer[1]);
    std::string text;
    char piece[512];
    for (ssize_t n; (n = read(answer[0], piece, sizeof piece)) > 0;)
        text.append(piece, size_t(n));
    close(answer[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return text;
}

/// A file that is removed with the object.
class TemporaryFile {
  public:
    TemporaryFile() : file(mkostemp(path, O_CLOEXEC)) {}
    ~TemporaryFile() {
        if (file < 0) return;
        unlink(path);
        close(file);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    char path[32] = "/tmp/terrazzo-counters-XXXXXX";
    const int file;
};

}  // namespace

int counters(const CountersOptions& options) {
    if (const std::string why = why_it_does_not_count(options.run); !why.empty()) return fail(why);
    Signals signals;
    const TemporaryFile temporary;
    if (temporary.file < 0)
        return fail(std::string(temporary.path) + ": " + std::generic_category().message(errno));
    CounterSeries series(now_ms());
    const pid_t child = fork();
    if (child == 0) {
        signals.restore();
        setenv("TERRAZZO_COUNTERS", temporary.path, 1);
        _exit(run(options.run));
    }
    if (child < 0) return fail("no process: " + std::generic_category().message(errno));
    Display display;
    Lines lines(temporary.file);
    const auto look = [&] { lines.read_new([&](std::string_view line) { series.add_line(line); }); };
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        look();
        display.show(series);
        signals.hand_on(child);
        (void)poll(nullptr, 0, kLook_ms);
    }
    look();
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
