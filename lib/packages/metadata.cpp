// SPDX-License-Identifier: GPL-2.0-or-later
// A repository has tens of thousands of packages and a handful that have to do with a kernel. libsolv reads all of them, which it is good at; only those of the
// one build that is chosen are taken out of it again, with the files they hold.
#include "packages/metadata.hpp"

#include "common/units.hpp"
#include "packages/boot_set.hpp"
#include "packages/nesting.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <string_view>

namespace bootbudget::packages {

namespace {

constexpr std::size_t MAX_TEXT = 300;

// A stream out of which comes no more than was said, and nothing more once it is to stop.
class BoundedStream {
public:
    BoundedStream(const MetadataSource & source, std::stop_token stop)
        : source_(source),
          inner_(solv_xfopen(source.path.c_str(), "r")),
          left_(source.open_size),
          stop_(std::move(stop)) {
        if (!inner_) {
            throw SystemError(
                fmt::format("cannot read {} (from {})", source.path.string(), source.url),
                errno == 0 ? ENOTSUP : errno);
        }
        outer_.reset(::fopencookie(this, "r", {read, nullptr, nullptr, nullptr}));
        if (!outer_) {
            throw SystemError(fmt::format("cannot read {}", source.path.string()), errno);
        }
    }

    std::FILE * file() const noexcept { return outer_.get(); }

    void check() const {
        if (stop_.stop_requested()) {
            throw Cancelled(fmt::format("Reading {} was cancelled.", source_.url));
        }
        if (too_much_) {
            throw UserError(fmt::format(
                "{} is larger than its repository's index says, more than {} bytes when decompressed; the repository "
                "is "
                "damaged.",
                source_.url,
                source_.open_size));
        }
        if (too_deep_) {
            throw UserError(fmt::format(
                "{} has a dependency with more than {} parentheses in each other; the repository is damaged.",
                source_.url,
                Nesting::MOST));
        }
    }

private:
    static ssize_t read(void * cookie, char * buffer, std::size_t size) {
        auto & self = *static_cast<BoundedStream *>(cookie);
        if (self.stop_.stop_requested() || self.too_much_ || self.too_deep_) {
            return -1;
        }
        const std::size_t got = std::fread(buffer, 1, size, self.inner_.get());
        if (got > self.left_) {
            self.too_much_ = true;
            return -1;
        }
        self.left_ -= got;
        self.too_deep_ = !self.nesting_.accepts({buffer, got});
        if (self.too_deep_) {
            return -1;
        }
        return std::ferror(self.inner_.get()) != 0 ? -1 : static_cast<ssize_t>(got);
    }

    const MetadataSource & source_;
    libsolv::FileOwner inner_;
    libsolv::FileOwner outer_;
    std::uint64_t left_;
    bool too_much_ = false;
    Nesting nesting_;
    bool too_deep_ = false;
    std::stop_token stop_;
};

void load_one(Universe & universe, const MetadataSource & source, int flags, const std::stop_token & stop) {
    const BoundedStream stream(source, stop);
    const int result = repo_add_rpmmd(universe.repo(), stream.file(), nullptr, flags);
    stream.check();
    if (result != 0) {
        throw UserError(fmt::format(
            "{} cannot be read: libsolv says \"{}\"; the repository is damaged.",
            source.url,
            common::printable(pool_errstr(universe.pool()), MAX_TEXT)));
    }
}

std::string text_of(const Universe & universe, Id id) {
    return common::printable(pool_id2str(universe.pool(), id), MAX_TEXT);
}

// "kernel-6.17-1.fc43.src.rpm" → "kernel-6.17-1.fc43"; a package that names no source stands for itself.
std::string source_nvr_of(const Universe & universe, Id id) {
    Solvable * const solvable = pool_id2solvable(universe.pool(), id);
    const char * const found = solvable_lookup_sourcepkg(solvable);
    std::string name = common::printable(found == nullptr ? "" : found, MAX_TEXT);
    for (const std::string_view suffix : {".src.rpm", ".nosrc.rpm"}) {
        if (name.ends_with(suffix)) {
            name.erase(name.size() - suffix.size());
        }
    }
    return name.empty() ? text_of(universe, solvable->name) + "-" + text_of(universe, solvable->evr) : name;
}

template <typename Visit>
void for_each_package(const Universe & universe, Visit && visit) {
    const Repo * const repo = universe.repo();
    for (Id id = repo->start; id < repo->end; ++id) {
        const Solvable * const solvable = pool_id2solvable(universe.pool(), id);
        if (solvable->repo == repo) {
            visit(id, *solvable);
        }
    }
}

bool provides(const Universe & universe, const Solvable & solvable, Id name) {
    if (solvable.dep_provides == 0) {
        return false;
    }
    for (const Id * provide = solvable.repo->idarraydata + solvable.dep_provides; *provide != 0; ++provide) {
        if (ISRELDEP(*provide) && GETRELDEP(universe.pool(), *provide)->name == name) {
            return true;
        }
    }
    return false;
}

std::set<Id> holders_of_images(const Universe & universe) {
    std::set<Id> result;
    for (const char * pattern : {"*/lib/modules/*/vmlinu[xz]", "/boot/vmlinu[xz]-*"}) {
        Dataiterator iterator;
        dataiterator_init(
            &iterator, universe.pool(), universe.repo(), 0, SOLVABLE_FILELIST, pattern, SEARCH_FILES | SEARCH_GLOB);
        while (dataiterator_step(&iterator) != 0) {
            result.insert(iterator.solvid);
        }
        dataiterator_free(&iterator);
    }
    return result;
}

std::vector<std::string> files_of(const Universe & universe, Id id) {
    std::vector<std::string> result;
    Dataiterator iterator;
    dataiterator_init(&iterator, universe.pool(), universe.repo(), id, SOLVABLE_FILELIST, nullptr, 0);
    while (dataiterator_step(&iterator) != 0) {
        result.emplace_back(repodata_dir2str(iterator.data, iterator.kv.id, iterator.kv.str));
    }
    dataiterator_free(&iterator);
    return result;
}

std::vector<Capability> capabilities(const Universe & universe, Id id, Id key) {
    Pool * const pool = universe.pool();
    libsolv::Ids ids;
    solvable_lookup_deparray(pool_id2solvable(pool, id), key, ids.get(), 0);
    std::vector<Capability> result;
    for (const Id dependency : ids) {
        if (dependency == SOLVABLE_PREREQMARKER) {
            continue;
        }
        if (!ISRELDEP(dependency)) {
            result.push_back({pool_id2str(pool, dependency), "", ""});
            continue;
        }
        const Reldep & relation = *GETRELDEP(pool, dependency);
        if (relation.flags > (REL_GT | REL_EQ | REL_LT) || ISRELDEP(relation.name) || ISRELDEP(relation.evr)) {
            result.push_back({pool_dep2str(pool, dependency), "", ""});
            continue;
        }
        std::string sense;
        sense += (relation.flags & REL_LT) != 0 ? "<" : "";
        sense += (relation.flags & REL_GT) != 0 ? ">" : "";
        sense += (relation.flags & REL_EQ) != 0 ? "=" : "";
        result.push_back({pool_id2str(pool, relation.name), sense, pool_id2str(pool, relation.evr)});
    }
    return result;
}

RepositoryPackage describe(const Universe & universe, Id id, const std::string & source_nvr) {
    Pool * const pool = universe.pool();
    Solvable * const solvable = pool_id2solvable(pool, id);
    RepositoryPackage result;
    RpmFile & package = result.package;
    package.name = text_of(universe, solvable->name);
    package.nevra = common::printable(pool_solvable2str(pool, solvable), MAX_TEXT);
    package.evr = text_of(universe, solvable->evr);
    package.arch = text_of(universe, solvable->arch);
    package.source_nvr = source_nvr;
    package.provides = capabilities(universe, id, SOLVABLE_PROVIDES);
    package.requires_ = capabilities(universe, id, SOLVABLE_REQUIRES);
    package.files = files_of(universe, id);

    Id type = 0;
    if (const char * checksum = solvable_lookup_checksum(solvable, SOLVABLE_CHECKSUM, &type)) {
        result.checksum = {solv_chksum_type2str(type), checksum};
    }
    package.sha256 = type == REPOKEY_TYPE_SHA256 ? result.checksum.hex : "";
    const char * const href = solvable_lookup_location(solvable, nullptr);
    const char * const base = solvable_lookup_str(solvable, SOLVABLE_MEDIABASE);
    result.href = href == nullptr ? "" : href;
    result.base = base == nullptr ? "" : base;
    result.size = solvable_lookup_num(solvable, SOLVABLE_DOWNLOADSIZE, 0);
    return result;
}

}  // namespace

void load_metadata(
    Universe & universe, const MetadataSource & primary, const MetadataSource & filelists, std::stop_token stop) {
    load_one(universe, primary, 0, stop);
    // Into the same store: libsolv takes seconds to write two that both have directories.
    load_one(universe, filelists, REPO_EXTEND_SOLVABLES | REPO_REUSE_REPODATA, stop);
}

std::vector<KernelBuild> kernel_builds(const Universe & universe, const std::string & arch) {
    Pool * const pool = universe.pool();
    const Id uname_r = pool_str2id(pool, "kernel-uname-r", 0);
    const Id arch_id = pool_str2id(pool, arch.c_str(), 0);
    std::map<std::string, KernelBuild> builds;
    const auto add = [&](Id id, const Solvable & solvable) {
        if (solvable.arch == arch_id) {
            const std::string nvr = source_nvr_of(universe, id);
            builds.emplace(nvr, KernelBuild{nvr, text_of(universe, solvable.evr)});
        }
    };
    bool is_provided = false;
    if (uname_r != 0) {
        for_each_package(universe, [&](Id id, const Solvable & solvable) {
            if (provides(universe, solvable, uname_r)) {
                is_provided = true;
                add(id, solvable);
            }
        });
    }
    if (!is_provided) {
        for (const Id id : holders_of_images(universe)) {
            add(id, *pool_id2solvable(pool, id));
        }
    }
    std::vector<KernelBuild> result;
    for (auto & [nvr, build] : builds) {
        result.push_back(std::move(build));
    }
    return result;
}

std::vector<RepositoryPackage> admit_build(
    Universe & universe, const KernelBuild & build, const std::string & arch, const std::string & url) {
    const Id arch_id = pool_str2id(universe.pool(), arch.c_str(), 0);
    std::vector<RepositoryPackage> result;
    std::map<std::string, std::string> checksums;
    for_each_package(universe, [&](Id id, const Solvable & solvable) {
        if ((solvable.arch != arch_id && solvable.arch != ARCH_NOARCH) || source_nvr_of(universe, id) != build.nvr) {
            return;
        }
        RepositoryPackage found = describe(universe, id, build.nvr);
        const auto [other, is_new] = checksums.emplace(found.package.nevra, found.checksum.hex);
        if (!is_new && other->second != found.checksum.hex) {
            throw UserError(fmt::format(
                "{} lists two different packages of one name, {}; the repository is damaged.",
                url,
                found.package.nevra));
        }
        if (is_new) {
            universe.admit(id, found.package);
            result.push_back(std::move(found));
        }
    });
    return result;
}

}  // namespace bootbudget::packages
