// SPDX-License-Identifier: GPL-2.0-or-later
// Repositories by the real createrepo_c, of packages by the real rpmbuild, read from disk and from a real web server.
#include "packages/repository.hpp"

#include "common/digest.hpp"
#include "common/machine.hpp"
#include "packages/solv_cache.hpp"
#include "support/nginx_server.hpp"
#include "support/scratch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = std::filesystem;

const fs::path FAKES = fs::path(BOOTBUDGET_FIXTURES) / "fake-kernels";

class Silent : public Progress {
public:
    void step(const std::string & /*line*/) override {}
    void advance(double /*done*/, double /*total*/, double /*seconds_left*/) override {}
    void warn(const std::string & line) override { warnings.push_back(line); }
    std::vector<std::string> warnings;
};

class PackagesRepository : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("createrepo_c --version > /dev/null 2>&1 && zstd --version > /dev/null 2>&1") != 0) {
            GTEST_SKIP() << "createrepo_c or zstd is missing: install the packages \"createrepo-c\" and \"zstd\"";
        }
        if (!fs::exists(FAKES / "full")) {
            GTEST_SKIP() << "the fake kernels were not built: rpmbuild is missing";
        }
        fs::create_directories(repo());
    }
    fs::path repo() const { return scratch_.path() / "repo"; }
    fs::path cache() const { return scratch_.path() / "cache"; }
    std::string url() const { return "file://" + repo().string(); }

    // Links, so that what a test changes it has to copy first.
    void add(const std::string & set, const std::string & without = "no such part") const {
        for (const auto & entry : fs::directory_iterator(FAKES / set)) {
            const std::string name = entry.path().filename().string();
            if (name.find(without) == std::string::npos) {
                fs::create_symlink(entry.path(), repo() / name);
            }
        }
    }
    static void run(const std::string & command) {
        ASSERT_EQ(std::system(("{ " + command + "; } > /dev/null 2>&1").c_str()), 0) << command;
    }
    void index(const std::string & form = {}, const std::string & options = {}) const {
        run("createrepo_c " + options + " '" + repo().string() + "'");
        if (!form.empty()) {
            run("python3 " BOOTBUDGET_SOURCE_DIR "/tests/support/recompress_repository.py '" + repo().string() + "' " +
                form);
        }
    }
    fs::path metadata(const std::string & type) const {
        for (const auto & entry : fs::directory_iterator(repo() / "repodata")) {
            if (entry.path().filename().string().find(type) != std::string::npos) {
                return entry.path();
            }
        }
        ADD_FAILURE() << "no " << type;
        return {};
    }
    // Changes a file of metadata and, so that this is noticed later only, the index too.
    void edit(const std::string & type, const std::string & from, const std::string & to, bool promise = true) const {
        const fs::path file = metadata(type);
        run("gzip -dc '" + file.string() + "' > '" + (scratch_.path() / "xml").string() + "'");
        std::string text = tests::content_of(scratch_.path() / "xml");
        ASSERT_NE(text.find(from), std::string::npos) << from;
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
            text.replace(at, from.size(), to);
        }
        replace(file, text, promise);
    }
    void replace(const fs::path & file, const std::string & text, bool promise = true, bool open_size = true) const {
        const std::string before = common::sha256_of_file(file);
        std::ofstream(scratch_.path() / "xml", std::ios::binary) << text;
        run("gzip -c '" + (scratch_.path() / "xml").string() + "' > '" + file.string() + "'");
        if (promise) {
            std::string list = tests::content_of(repo() / "repodata/repomd.xml");
            // The name of the file has it too, and stays.
            const std::string checksum = "<checksum type=\"sha256\">";
            list.replace(list.find(checksum + before) + checksum.size(), 64, common::sha256_of_file(file));
            const std::size_t size = list.find("<size>", list.find(common::sha256_of_file(file)));
            list.replace(size, list.find("</size>", size) - size, "<size>" + std::to_string(fs::file_size(file)));
            if (open_size) {
                const std::size_t open = list.find("<open-size>", size);
                list.replace(open, list.find("</open-size>", open) - open, "<open-size>" + std::to_string(text.size()));
            }
            std::ofstream(repo() / "repodata/repomd.xml") << list;
        }
    }

    FoundBuild find(const std::string & select = {}, const std::string & where = {}) {
        return find_build({where.empty() ? url() : where, select, cache()}, progress_, {});
    }
    void obtain_all(FoundBuild & build, Extent extent = Extent::ALL) {
        std::vector<std::size_t> all(build.kernels.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        obtain(build, all, extent, progress_, {});
    }
    std::string refusal(const std::string & select = {}, const std::string & where = {}) {
        try {
            FoundBuild build = find(select, where);
            obtain_all(build);
            return "accepted";
        } catch (const UserError & error) {
            return error.what();
        }
    }
    static std::map<std::string, std::vector<std::string>> sets(const FoundBuild & build) {
        std::map<std::string, std::vector<std::string>> result;
        for (const FoundKernel & kernel : build.kernels) {
            for (const RpmFile & package : kernel.boot_set) {
                result[kernel.release].push_back(package.name);
            }
            EXPECT_EQ(kernel.not_bootable, "") << kernel.release;
        }
        return result;
    }
    static std::string release(const std::string & suffix = {}, const std::string & of = "6.17.4-300.fc43.") {
        return of + common::machine_arch() + suffix;
    }
    void expect_the_whole_set(const FoundBuild & build) {
        EXPECT_EQ(build.nvr, "kernel-6.17.4-300.fc43");
        const auto found = sets(build);
        ASSERT_EQ(found.size(), 5U);
        EXPECT_THAT(found.at(release()), ElementsAre("kernel-core", "kernel-modules-core"));
        EXPECT_THAT(found.at(release("+debug")), ElementsAre("kernel-debug-core", "kernel-debug-modules-core"));
        EXPECT_THAT(
            found.at(release("+rt")), ElementsAre("kernel-rt-core", "kernel-rt-modules", "kernel-rt-modules-core"));
        EXPECT_THAT(
            found.at(release("+rt-debug")),
            ElementsAre(
                "kernel-rt-debug-core",
                "kernel-rt-debug-modules",
                "kernel-rt-debug-modules-core",
                "kernel-rt-debug-modules-extra"));
        EXPECT_THAT(found.at(release("+64k")), ElementsAre("kernel-64k-core", "kernel-64k-modules-core"));
        EXPECT_THAT(
            build.notes,
            Contains(HasSubstr("Taken as given: /bin/sh, coreutils, dracut, systemd (needs of an installed kernel")));
    }

    tests::Scratch scratch_;
    Silent progress_;
};

TEST_F(PackagesRepository, ADirectoryOfTheWholeSet) {
    add("full");
    expect_the_whole_set(find({}, repo().string()));
}

TEST_F(PackagesRepository, TheWholeSetFromEveryCompression) {
    add("full");
    index();
    for (const char * form : {"", "gz", "xz", "zst"}) {
        fs::remove_all(repo() / "repodata");
        index(form);
        FoundBuild build = find();
        expect_the_whole_set(build);
        fs::remove_all(repo() / "repodata");
        ASSERT_EQ(build.kernels[0].boot_set[0].path, "") << "nothing is downloaded before it is asked for";
        obtain_all(build);
        EXPECT_EQ(build.kernels[0].boot_set[0].sha256.size(), 64U);
        EXPECT_THAT(build.kernels[0].boot_set[0].ghosts, Contains("/boot/vmlinuz-" + release()));
    }
}

TEST_F(PackagesRepository, ForAPlanOnlyTheCoreIsHad) {
    add("full");
    index();
    FoundBuild build = find();
    obtain_all(build, Extent::CORE);
    for (const FoundKernel & kernel : build.kernels) {
        EXPECT_FALSE(kernel.boot_set[0].path.empty()) << kernel.release;
        EXPECT_TRUE(kernel.boot_set[1].path.empty()) << kernel.release;
    }
    fs::create_directories(scratch_.path() / "tree");
    const auto tree = unpack_kernel(build, build.kernels[0], scratch_.path() / "tree", true, {});
    EXPECT_EQ(kernel::value_of(tree.configuration, "CONFIG_SCSI_VIRTIO"), "m");
}

TEST_F(PackagesRepository, TheNewestBuildIsTakenAndTheOthersAreNamed) {
    for (const char * set : {"9.fc43", "10.fc43", "11~rc1.fc43"}) {
        add(set);
    }
    index();
    FoundBuild build = find();
    EXPECT_EQ(build.nvr, "kernel-6.17.4-11~rc1.fc43");
    EXPECT_THAT(
        build.notes,
        Contains(AllOf(HasSubstr("the newest build"), HasSubstr("kernel-6.17.4-10.fc43, kernel-6.17.4-9.fc43"))));
    add("11.fc43");
    index();
    EXPECT_EQ(find().nvr, "kernel-6.17.4-11.fc43");
    add("epoch");
    index();
    EXPECT_EQ(find().nvr, "kernel-5.0-1");

    build = find("kernel-6.17.4-9.fc43");
    EXPECT_EQ(build.nvr, "kernel-6.17.4-9.fc43");
    EXPECT_THAT(build.notes, Contains(HasSubstr("was taken as selected")));
    obtain_all(build);
    EXPECT_EQ(build.kernels.at(0).release, release({}, "6.17.4-9.fc43."));
    EXPECT_THAT(refusal("kernel-6.17.4-8.fc43"), AllOf(HasSubstr("no build"), HasSubstr("kernel-6.17.4-10.fc43")));
}

TEST_F(PackagesRepository, KernelsOfSeveralSourcePackagesHaveToBeTold) {
    for (const char * set : {"9.fc43", "10.fc43", "longterm"}) {
        add(set);
    }
    index();
    EXPECT_THAT(
        refusal(),
        AllOf(
            HasSubstr("2 source packages"),
            HasSubstr("kernel-6.17.4-10.fc43, kernel-longterm-6.12-6.12.9-300.fc43"),
            HasSubstr("--select")));
    EXPECT_EQ(find("kernel").nvr, "kernel-6.17.4-10.fc43");
    const FoundBuild build = find("kernel-longterm-6.12");
    EXPECT_THAT(
        sets(build).at(release({}, "6.12.9-300.fc43.")),
        ElementsAre("kernel-longterm-6.12-core", "kernel-longterm-6.12-modules-core"));
}

TEST_F(PackagesRepository, AnIncompleteSetIsToldInLibsolvsWords) {
    add("9.fc43", "modules-core");
    index();
    const FoundBuild build = find();
    EXPECT_THAT(
        build.kernels.at(0).not_bootable,
        HasSubstr(
            "nothing provides kernel-modules-core-uname-r = " + release({}, "6.17.4-9.fc43.") +
            " needed by kernel-core-6.17.4-9.fc43"));
    ASSERT_EQ(build.kernels[0].boot_set.size(), 1U);
}

TEST_F(PackagesRepository, AUnifiedImageAloneIsNotBooted) {
    for (const char * part : {"uki-virt", "modules-core"}) {
        for (const auto & entry : fs::directory_iterator(FAKES / "9.fc43")) {
            if (entry.path().filename().string().find(part) != std::string::npos) {
                fs::create_symlink(entry.path(), repo() / entry.path().filename());
            }
        }
    }
    index();
    EXPECT_THAT(find().kernels.at(0).not_bootable, HasSubstr("only as a unified kernel image"));
}

TEST_F(PackagesRepository, WithoutAKernelItSaysWhatItLookedFor) {
    index();
    EXPECT_THAT(refusal(), AllOf(HasSubstr("no kernel for " + common::machine_arch()), HasSubstr("kernel-uname-r")));
    EXPECT_THAT(refusal({}, "file://" + (scratch_.path() / "nowhere").string()), HasSubstr("repomd.xml"));
}

TEST_F(PackagesRepository, MetadataThatAreNotWhatTheIndexPromisedAreRefused) {
    add("9.fc43");
    index();
    edit("-primary.xml", "<name>kernel-core</name>", "<name>kernel-kore</name>", false);
    EXPECT_THAT(refusal(), HasSubstr("primary.xml"));
}

TEST_F(PackagesRepository, MetadataThatAreNoneAreRefusedWithLibsolvsWords) {
    add("9.fc43");
    for (const char * text :
         {"", "garbage", "<metadata><package type=\"rpm\"><name>x", "<metadata>\xff\xfe\x00</metadata>"}) {
        for (const char * type : {"-primary.xml", "-filelists.xml"}) {
            fs::remove_all(repo() / "repodata");
            index();
            replace(metadata(type), text);
            EXPECT_THAT(refusal(), AllOf(HasSubstr(type), HasSubstr("cannot be read: libsolv says"))) << text;
        }
    }
}

TEST_F(PackagesRepository, MetadataThatGrowWithoutEndAreRefused) {
    add("9.fc43");
    index();
    replace(metadata("-filelists.xml"), "<filelists>" + std::string(50'000'000, ' '), true, false);
    EXPECT_THAT(refusal(), HasSubstr("larger than its repository's index says"));
}

TEST_F(PackagesRepository, DependenciesThatWouldEndTheParserAreRefused) {
    add("9.fc43");
    std::string deep;
    for (int i = 0; i < 100000; ++i) {
        deep += "(a and ";
    }
    deep += "b";
    for (const std::string & name : {std::string(100000, '('), deep + std::string(100000, ')')}) {
        fs::remove_all(repo() / "repodata");
        index();
        edit("-primary.xml", "<rpm:entry name=\"coreutils\"", "<rpm:entry name=\"" + name + "\"");
        EXPECT_THAT(refusal(), AllOf(HasSubstr("-primary.xml"), HasSubstr("parentheses")));
    }
}

TEST_F(PackagesRepository, APackageThatIsNotWhatTheMetadataPromisedIsRefused) {
    add("9.fc43");
    index();
    const fs::path core = repo() / ("kernel-core-6.17.4-9.fc43." + common::machine_arch() + ".rpm");
    const std::string right = tests::content_of(core);
    fs::remove(core);
    fs::copy_file(repo() / ("kernel-devel-6.17.4-9.fc43." + common::machine_arch() + ".rpm"), core);
    EXPECT_THAT(refusal(), HasSubstr("kernel-core-6.17.4-9.fc43"));
    std::ofstream(core, std::ios::binary | std::ios::trunc) << right.substr(0, right.size() / 2);
    EXPECT_THAT(refusal(), HasSubstr("kernel-core-6.17.4-9.fc43"));

    // Whoever makes the index can promise another package under this one's name.
    fs::remove(core);
    fs::copy_file(repo() / ("kernel-devel-6.17.4-9.fc43." + common::machine_arch() + ".rpm"), core);
    const std::string checksum = common::sha256_of_file(core);
    std::ofstream(core, std::ios::binary | std::ios::trunc) << right;
    const std::string before = common::sha256_of_file(core);
    fs::remove(core);
    fs::copy_file(repo() / ("kernel-devel-6.17.4-9.fc43." + common::machine_arch() + ".rpm"), core);
    edit("-primary.xml", before, checksum);
    edit("-filelists.xml", before, checksum);
    edit(
        "-primary.xml",
        "package=\"" + std::to_string(right.size()) + "\"",
        "package=\"" + std::to_string(fs::file_size(core)) + "\"");
    EXPECT_THAT(
        refusal(),
        AllOf(HasSubstr("kernel-devel-6.17.4-9.fc43"), HasSubstr("its repository says that it is kernel-core")));
}

TEST_F(PackagesRepository, AddressesInMetadataCannotLeadAstray) {
    add("9.fc43");
    index();
    edit("-primary.xml", "href=\"kernel-core", "href=\"../../../../../../etc/passwd/kernel-core");
    EXPECT_THAT(refusal(), HasSubstr("kernel-core"));
    EXPECT_FALSE(fs::exists(scratch_.path() / "etc"));
}

TEST_F(PackagesRepository, PackagesMayLieElsewhere) {
    add("9.fc43");
    const fs::path elsewhere = scratch_.path() / "else where";
    fs::create_directories(elsewhere);
    index({}, "--baseurl 'file://" + elsewhere.string() + "'");
    for (const auto & entry : fs::directory_iterator(FAKES / "9.fc43")) {
        fs::rename(repo() / entry.path().filename(), elsewhere / entry.path().filename());
    }
    FoundBuild build = find();
    obtain_all(build);
    EXPECT_EQ(build.kernels.at(0).boot_set.at(0).path.parent_path(), elsewhere);
}

TEST_F(PackagesRepository, TheMetadataAreReadOnceAsLongAsTheIndexIsTheSame) {
    add("full");
    index();
    expect_the_whole_set(find());
    const std::string list = tests::content_of(repo() / "repodata/repomd.xml");
    fs::remove_all(repo() / "repodata");
    fs::create_directories(repo() / "repodata");
    std::ofstream(repo() / "repodata/repomd.xml") << list;
    FoundBuild build = find();
    expect_the_whole_set(build);
    obtain_all(build);
    EXPECT_EQ(build.kernels[0].boot_set[0].sha256.size(), 64U);

    add("epoch");
    index();
    EXPECT_EQ(find().nvr, "kernel-5.0-1") << "another index";
    EXPECT_THAT(progress_.warnings, IsEmpty());
    EXPECT_EQ(std::distance(fs::directory_iterator(cache() / "solv"), fs::directory_iterator()), 1);
}

TEST_F(PackagesRepository, ADamagedCacheIsWrittenAnew) {
    add("9.fc43");
    index();
    find();
    const fs::path file = fs::directory_iterator(cache() / "solv")->path();
    const std::string whole = tests::content_of(file);
    std::vector<std::string> damaged{"", "SOLV", whole.substr(0, whole.size() / 2), whole + "x", std::string(200, 'x')};
    for (std::size_t at = 0; at < whole.size(); at += whole.size() / 7) {
        damaged.push_back(whole);
        damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 0x40);
    }
    for (const std::string & content : damaged) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
        EXPECT_EQ(find().nvr, "kernel-6.17.4-9.fc43");
        EXPECT_EQ(tests::content_of(file), whole);
    }
    fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
    std::ofstream(file, std::ios::binary | std::ios::app) << "";
    EXPECT_EQ(find().nvr, "kernel-6.17.4-9.fc43");
    EXPECT_EQ(fs::status(file).permissions() & fs::perms::others_write, fs::perms::none)
        << "one that others may write to is not trusted";
}

TEST_F(PackagesRepository, ACacheThatCannotBeWrittenIsAWarning) {
    add("9.fc43");
    index();
    fs::create_directories(cache());
    std::ofstream(cache() / "solv") << "a file in its place";
    EXPECT_EQ(find().nvr, "kernel-6.17.4-9.fc43");
    EXPECT_THAT(progress_.warnings, ElementsAre(HasSubstr("will read the metadata")));
}

TEST_F(PackagesRepository, OverTlsFromARealServer) {
    if (const std::string missing = tests::NginxServer::missing(); !missing.empty()) {
        GTEST_SKIP() << missing;
    }
    add("full");
    index("zst");
    tests::NginxOptions options;
    options.tls = true;
    tests::NginxServer server(scratch_.path(), options);
    const std::string where = server.url("/repo");
    ::setenv("CURL_CA_BUNDLE", server.ca_file().c_str(), 1);
    FoundBuild build = find({}, where);
    expect_the_whole_set(build);
    obtain_all(build, Extent::CORE);
    EXPECT_FALSE(build.kernels[0].boot_set[0].path.empty());
    find({}, where);
    ::unsetenv("CURL_CA_BUNDLE");
    EXPECT_THAT(refusal({}, where), HasSubstr("certificate"));
    int rpms = 0;
    int metadata_files = 0;
    for (const std::string & request : server.requests()) {
        rpms += request.find(".rpm ") != std::string::npos ? 1 : 0;
        metadata_files += request.find(".xml.zst ") != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(rpms, 5) << "of each kernel its core";
    EXPECT_EQ(metadata_files, 2) << "once each";
}

}  // namespace
}  // namespace bootbudget::packages
