// SPDX-License-Identifier: GPL-2.0-or-later
// A real nginx, and what goes wrong between it and us: each fault met, mended where it can be, and named where it cannot.
#include "net_fixture.hpp"

namespace bootbudget::net {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class NetFaults : public NetTest {
protected:
    std::string kernel() const { return tests::content_of(root() / "kernel.rpm"); }
};

TEST_F(NetFaults, ACutConnectionIsContinuedWhereItBroke) {
    serve();
    const Download download = promised("/faulty/cut/2/kernel.rpm");
    EXPECT_EQ(tests::content_of(get(download)), kernel());
    EXPECT_THAT(
        progress_.steps,
        ElementsAre(
            HasSubstr("trying again"), HasSubstr("the connection was cut"), HasSubstr("downloaded the package")));
    const auto requests = server_->requests();
    ASSERT_THAT(requests, SizeIs(3));
    EXPECT_THAT(requests[0], AllOf(HasSubstr(" 200 "), HasSubstr("range=- ")));
    EXPECT_THAT(requests[1], AllOf(HasSubstr(" 206 "), HasSubstr("range=bytes=100000- if-range=- ")));
    EXPECT_THAT(requests[2], AllOf(HasSubstr(" 206 50000 "), HasSubstr("range=bytes=150000- ")));
}

TEST_F(NetFaults, WithoutAChecksumOnlyTheSameVersionIsContinued) {
    serve();
    EXPECT_EQ(tests::content_of(get(unknown("/faulty/cut/1/kernel.rpm"))), kernel());
    EXPECT_EQ(tests::content_of(get(unknown("/faulty/cut-untagged/1/kernel.rpm"))), kernel());
    const auto requests = server_->requests();
    ASSERT_THAT(requests, SizeIs(4));
    EXPECT_THAT(requests[1], AllOf(HasSubstr(" 206 100000 "), HasSubstr("range=bytes=100000- if-range=\\x22")));
    EXPECT_THAT(requests[3], AllOf(HasSubstr(" 200 200000 "), HasSubstr("range=- ")));
}

TEST_F(NetFaults, AServerThatFailsForAWhileIsAskedAgain) {
    serve();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/503/2/kernel.rpm"))), kernel());
    forget();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/429/1/kernel.rpm"))), kernel());
    EXPECT_THAT(progress_.steps, Contains(AllOf(HasSubstr("HTTP status 503"), HasSubstr("trying again in"))).Times(2));
    EXPECT_THAT(progress_.steps, Contains(HasSubstr("HTTP status 429")));
}

TEST_F(NetFaults, AServerThatFailsForGoodIsNamed) {
    serve();
    options_.attempts = 3;
    EXPECT_THAT(
        error_of<SystemError>(promised("/faulty/503/99/kernel.rpm")),
        AllOf(
            StartsWith("cannot download the package from " + server_->url("/faulty/503/99/kernel.rpm")),
            HasSubstr("the server failed (HTTP status 503), after 3 attempts"),
            HasSubstr("try again later")));
    EXPECT_THAT(server_->requests(), SizeIs(3));
}

TEST_F(NetFaults, AConnectionCutForGoodLeavesItsPart) {
    serve();
    options_.attempts = 2;
    const Download download = promised("/faulty/cut/99/kernel.rpm");
    EXPECT_THAT(error_of<SystemError>(download), HasSubstr("the connection was cut"));
    EXPECT_EQ(std::filesystem::file_size(entry_of(download) / ".part"), SIZE / 4 * 3);
}

TEST_F(NetFaults, AttemptsThatMakeHeadwayAreNotCounted) {
    publish("large.rpm", bytes(6U << 20U));
    serve();
    options_.attempts = 1;
    EXPECT_EQ(
        common::sha256_of_file(get(promised("/faulty/megabyte/99/large.rpm"))),
        common::sha256_of_file(root() / "large.rpm"));
    EXPECT_THAT(server_->requests(), SizeIs(4));
}

TEST_F(NetFaults, AServerThatTricklesIsLeftAndAskedAgain) {
    serve();
    options_.stall = std::chrono::seconds(1);
    EXPECT_EQ(tests::content_of(get(promised("/faulty/trickle/1/kernel.rpm"))), kernel());
    EXPECT_THAT(progress_.steps, Contains(HasSubstr("the server is too slow")));
    options_.attempts = 1;
    EXPECT_THAT(error_of<SystemError>(unknown("/faulty/trickle/99/kernel.rpm")), HasSubstr("the server is too slow"));
    EXPECT_THAT(error_of<SystemError>(unknown("/faulty/silent/99/kernel.rpm")), HasSubstr("the server is too slow"));
}

TEST_F(NetFaults, AWrongSizeIsRefusedBeforeItIsLoaded) {
    serve();
    Download download = promised("/faulty/short/99/kernel.rpm");
    EXPECT_THAT(
        error_of<UserError>(download),
        AllOf(HasSubstr("it has 199999 bytes, and 200000 were promised"), HasSubstr("use another mirror")));
    download = unknown("/kernel.rpm");
    download.size = 100;
    EXPECT_THAT(error_of<UserError>(download), HasSubstr("it has 200000 bytes, and 100 were promised"));
    download.size.reset();
    download.max_size = 1000;
    EXPECT_THAT(error_of<UserError>(download), HasSubstr("larger than 1000 bytes"));
    download.size = 2000;
    EXPECT_THAT(error_of<UserError>(download), HasSubstr("larger than 1000 bytes"));
}

TEST_F(NetFaults, AnEndlessBodyEndsAtTheBound) {
    serve();
    Download download = unknown("/faulty/endless/99/kernel.rpm");
    download.max_size = 1000000;
    EXPECT_THAT(error_of<UserError>(download), HasSubstr("larger than 1000000 bytes"));
    download = promised("/faulty/endless/99/kernel.rpm");
    EXPECT_THAT(error_of<UserError>(download), HasSubstr("more than the 200000 bytes that were promised"));
    EXPECT_LE(std::filesystem::file_size(entry_of(download) / ".part"), SIZE);
}

TEST_F(NetFaults, ABodyOfUnknownLengthThatIsTooShortWasCut) {
    serve();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/unsized/1/kernel.rpm"))), kernel());
    EXPECT_THAT(server_->requests(), ElementsAre(HasSubstr(" 200 "), HasSubstr(" 206 100000 ")));
}

TEST_F(NetFaults, AWrongChecksumIsRefused) {
    serve();
    const Download download = promised("/faulty/corrupt/99/kernel.rpm");
    EXPECT_THAT(
        error_of<UserError>(download),
        AllOf(HasSubstr("its sha256 is "), HasSubstr("and " + download.checksum->hex + " was promised")));
    EXPECT_FALSE(std::filesystem::exists(entry_of(download) / ".part")) << "it would be continued";
    EXPECT_FALSE(std::filesystem::exists(entry_of(download) / "kernel.rpm"));
    EXPECT_THAT(server_->requests(), SizeIs(1));
}

TEST_F(NetFaults, AWrongChecksumOfPiecesIsTriedOnceMoreAsAWhole) {
    serve();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/cut-then-corrupt/2/kernel.rpm"))), kernel());
    forget();
    EXPECT_THAT(error_of<UserError>(promised("/faulty/cut-then-corrupt/99/kernel.rpm")), HasSubstr("was promised"));
    EXPECT_THAT(server_->requests(), SizeIs(3 + 3));
}

TEST_F(NetFaults, AServerWithoutPartsSendsTheWhole) {
    serve();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/cut-then-whole/2/kernel.rpm"))), kernel());
    EXPECT_THAT(
        server_->requests(),
        ElementsAre(HasSubstr("range=- "), AllOf(HasSubstr(" 200 200000 "), HasSubstr("range=bytes=100000-"))));
}

TEST_F(NetFaults, APartAtAnotherOffsetIsNotUsed) {
    serve();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/cut-then-shifted/2/kernel.rpm"))), kernel());
    forget();
    EXPECT_EQ(tests::content_of(get(promised("/faulty/cut-then-416/2/kernel.rpm"))), kernel());
    const auto requests = server_->requests();
    ASSERT_THAT(requests, SizeIs(6));
    EXPECT_THAT(requests[2], AllOf(HasSubstr(" 200 200000 "), HasSubstr("range=- ")));
    EXPECT_THAT(requests[5], AllOf(HasSubstr(" 200 200000 "), HasSubstr("range=- ")));
}

TEST_F(NetFaults, RedirectsAreFollowedOnlyWhereItIsSafe) {
    serve(
        {.configuration = "location /loop { return 302 /loop; }\n"
                          "location /moved { return 301 /kernel.rpm; }\n"
                          "location /vanished { return 302 /nowhere.rpm?token=secret; }\n"
                          "location /local { return 302 file:///etc/passwd; }\n"});
    EXPECT_EQ(tests::content_of(get(unknown("/moved"))), kernel());
    EXPECT_THAT(
        error_of<UserError>(unknown("/loop")),
        AllOf(HasSubstr("from place to place"), HasSubstr(server_->url("/loop"))));
    EXPECT_THAT(error_of<UserError>(unknown("/local")), HasSubstr("a protocol that is not followed"));
    EXPECT_THAT(
        error_of<UserError>(unknown("/vanished")),
        AllOf(HasSubstr("(which leads to " + server_->url("/nowhere.rpm") + "?…)"), Not(HasSubstr("secret"))));
}

TEST_F(NetFaults, HttpsIsNotLeftForHttp) {
    serve({.tls = true, .configuration = "location /plain { return 302 http://localhost:1/kernel.rpm; }\n"});
    EXPECT_EQ(tests::content_of(get(promised("/kernel.rpm"))), kernel());
    EXPECT_THAT(error_of<UserError>(unknown("/plain")), HasSubstr("a protocol that is not followed"));
}

TEST_F(NetFaults, ACertificateOfAnotherNameIsRefused) {
    serve({.tls = true, .names = {"other.example"}});
    EXPECT_THAT(
        error_of<UserError>(promised("/kernel.rpm")),
        AllOf(
            HasSubstr("does not prove that it is this host"),
            HasSubstr("check the host's name"),
            HasSubstr(server_->ca_file().string())));
    EXPECT_THAT(server_->requests(), IsEmpty());
}

TEST_F(NetFaults, ACertificateThatNobodyKnowsIsRefused) {
    serve({.tls = true});
    options_.ca_file.clear();
    EXPECT_THAT(
        error_of<UserError>(promised("/kernel.rpm")),
        AllOf(HasSubstr("does not prove that it is this host"), HasSubstr("this system trusts")));
    options_.ca_file = scratch_.path() / "missing.pem";
    EXPECT_THAT(error_of<UserError>(promised("/kernel.rpm")), HasSubstr("missing.pem"));
    EXPECT_THAT(server_->requests(), IsEmpty());
}

TEST_F(NetFaults, WhatTheUserCanMendIsToldAtOnce) {
    serve();
    EXPECT_THAT(
        error_of<UserError>(unknown("/missing.rpm")),
        AllOf(HasSubstr("no such file (HTTP status 404)"), HasSubstr("check the URL")));
    EXPECT_THAT(error_of<UserError>(unknown("/faulty/401/9/kernel.rpm")), HasSubstr("https://NAME:PASSWORD@HOST/"));
    EXPECT_THAT(error_of<UserError>(unknown("/faulty/403/9/kernel.rpm")), HasSubstr("refuses access"));
    EXPECT_THAT(
        error_of<UserError>(unknown("/faulty/418/9/kernel.rpm")), HasSubstr("refuses the request (HTTP status 418)"));
    Download download = unknown("/kernel.rpm");
    download.url = "http://no..host/kernel.rpm";
    EXPECT_THAT(error_of<UserError>(download), AllOf(HasSubstr("the host is not known"), HasSubstr("check the URL")));
    download.url = "ftp://localhost/kernel.rpm";
    EXPECT_THAT(error_of<UserError>(download), HasSubstr("neither of http, https nor of file"));
    EXPECT_THAT(server_->requests(), SizeIs(4)) << "none of these helps to be tried again";
}

TEST_F(NetFaults, AServerThatIsNotThereIsTriedAgain) {
    serve();
    const Download download = promised("/kernel.rpm");
    server_->stop();
    options_.attempts = 2;
    EXPECT_THAT(error_of<SystemError>(download), AllOf(HasSubstr("cannot be reached"), HasSubstr("after 2 attempts")));
    EXPECT_THAT(progress_.steps, SizeIs(1));
}

TEST_F(NetFaults, NamesAndPasswordsAreSentAndNotTold) {
    serve();
    const auto with_password = [this](const std::string & path) {
        Download download = unknown(path);
        download.url.insert(std::string("http://").size(), "somebody:secret@");
        return download;
    };
    const auto path = get(with_password("/faulty/503/1/kernel.rpm"));
    EXPECT_THAT(path.string(), AllOf(Not(HasSubstr("secret")), Not(HasSubstr("somebody"))));
    EXPECT_THAT(progress_.steps, Not(Contains(HasSubstr("secret"))));
    EXPECT_THAT(
        error_of<UserError>(with_password("/missing.rpm?token=hidden")),
        AllOf(
            HasSubstr(server_->url("/missing.rpm")),
            Not(HasSubstr("secret")),
            Not(HasSubstr("hidden")),
            Not(HasSubstr("somebody"))));
    EXPECT_THAT(server_->requests(), Contains(HasSubstr("user=somebody")).Times(3));
}

}  // namespace
}  // namespace bootbudget::net
