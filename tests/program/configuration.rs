//! `pumphouse export`, `plan` and `apply`: an env goes out to files and comes in.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Ended, Scratch, ended};
use crate::support::Flow;

/// Runs one of the commands as root.
async fn run(flow: &Flow, command: &[&str], scratch: &Scratch) -> Ended {
    let (url, files) = (flow.stage.server.url("/"), scratch.path("files"));
    let token = flow.stage.root.token.clone().expect("a token");
    let arguments = [command, &["--url", &url, "--env", "prod", "-f", &files]].concat();
    ended(&arguments, &[("PUMPHOUSE_TOKEN", &token)]).await
}

/// Every file with its text.
fn tree(directory: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(tree(&path));
        } else {
            files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    files.sort();
    files
}

async fn laid_out() -> Flow {
    let flow = Flow::open().await;
    for (connector, password) in [(flow.stage.connector, json!("hunter-canary")), (flow.target, json!({"$secret": "file:dwh"}))] {
        let configuration = json!({"host": "db.example.org", "database": "shop", "user": "u", "password": password});
        let input = json!({"connectorId": connector, "configuration": configuration});
        flow.stage.root.change("updateConnector", input, "connector { id }").await.data();
    }
    flow
}

#[tokio::test]
async fn an_env_goes_out_to_files_that_change_nothing_when_they_come_back() {
    let (flow, scratch) = (laid_out().await, Scratch::new("files-same"));
    assert!(run(&flow, &["export"], &scratch).await.done().starts_with("4 files written to "));
    let files = tree(&scratch.0);
    assert!(!format!("{files:?}").contains("canary"), "{files:?}");
    let names: Vec<&str> = files.iter().map(|(path, _)| path.rsplit("/files/").next().unwrap()).collect();
    assert_eq!(names.len(), 4);
    assert_eq!(names[..3], ["connectors/shop.yaml", "connectors/warehouse.yaml", "datamodels/shop.orders.yaml"]);
    assert!(files[0].1.starts_with("format: pumphouse/pipelines/1\nconnectors:\n"), "{}", files[0].1);
    let before = flow.written().await;
    let same = "0 to create, 0 to change, 5 as the files say, 0 in no file\n";
    assert_eq!(run(&flow, &["plan", "--check"], &scratch).await.done(), same);
    assert_eq!(run(&flow, &["apply"], &scratch).await.done(), "0 created, 0 changed, 5 as the files say, 0 in no file\n");
    assert_eq!(flow.written().await, before);
    // All in one file, under another name, is the same.
    let one = files[0].1.clone() + files[1].1.strip_prefix("format: pumphouse/pipelines/1\nconnectors:\n").unwrap();
    fs::remove_dir_all(scratch.path("files/connectors")).unwrap();
    fs::write(scratch.path("files/zz.yml"), one).unwrap();
    assert_eq!(run(&flow, &["plan", "--check"], &scratch).await.done(), same);
    run(&flow, &["export"], &scratch).await.done();
    fs::remove_file(scratch.path("files/zz.yml")).unwrap();
    assert_eq!(tree(&scratch.0), files, "written again, they are the same");
}

#[tokio::test]
async fn a_plan_shows_drift_as_a_diff_and_apply_undoes_it() {
    let (flow, scratch) = (laid_out().await, Scratch::new("files-drift"));
    run(&flow, &["export"], &scratch).await.done();
    let by_hand = json!({"pipelineSubscriptionId": flow.subscription, "targetTableName": "by_hand"});
    flow.stage.root.change("updatePipelineSubscription", by_hand, "pipelineSubscription { id }").await.data();
    flow.new_subscription(flow.pipeline, flow.datamodel, "added").await;
    let written = flow.written().await;
    let planned = run(&flow, &["plan"], &scratch).await;
    let told = planned.done();
    for line in [
        "~ subscription orders of shop to warehouse\n",
        "  - targetTableName: by_hand\n  + targetTableName: orders\n",
        "= subscription added of shop to warehouse, which is in no file and stays\n",
        "0 to create, 1 to change, 4 as the files say, 1 in no file\n",
    ] {
        assert!(told.contains(line), "{line:?} {told}");
    }
    assert!(!told.contains('\u{1b}'), "colours are for terminals");
    assert_eq!(flow.written().await, written, "a plan changes nothing");
    let checked = run(&flow, &["plan", "--check"], &scratch).await;
    assert_eq!((checked.code, checked.out.as_str()), (Some(3), told), "{checked:?}");
    assert!(run(&flow, &["apply"], &scratch).await.done().ends_with("0 created, 1 changed, 4 as the files say, 1 in no file\n"));
    assert!(run(&flow, &["plan", "--check"], &scratch).await.done().ends_with("0 to change, 5 as the files say, 1 in no file\n"));
}

#[tokio::test]
async fn a_plan_says_that_a_secret_changes_whatever_else_it_shows() {
    let (flow, scratch) = (laid_out().await, Scratch::new("files-secrets"));
    run(&flow, &["export"], &scratch).await.done();
    let shop = scratch.path("files/connectors/shop.yaml");
    let text = fs::read_to_string(&shop).unwrap();
    for (rest, secret, says) in
        [("user: u", "rotated-canary", true), ("user: other", "rotated-canary", true), ("user: other", "hunter-canary", false)]
    {
        let text = text.replace("password:\n      $secret: stored", &format!("password: {secret}")).replace("user: u", rest);
        assert!(text.contains(secret), "{text}");
        fs::write(&shop, text).unwrap();
        let planned = run(&flow, &["plan"], &scratch).await;
        let told = planned.done();
        assert!(told.contains("~ connector shop\n") && !told.contains("canary"), "{told}");
        assert_eq!(told.contains("    a secret changes, which is not shown\n"), says, "{told}");
    }
}

#[tokio::test]
async fn a_fault_names_its_file_and_nothing_is_changed() {
    let (flow, scratch) = (laid_out().await, Scratch::new("files-broken"));
    run(&flow, &["export"], &scratch).await.done();
    let (before, shop) = (flow.written().await, scratch.path("files/connectors/shop.yaml"));
    let text = fs::read_to_string(&shop).unwrap();
    fs::write(&shop, text.replace("user: u", "usr: u")).unwrap();
    let refused = run(&flow, &["apply"], &scratch).await;
    let told = refused.refused(2);
    assert!(told.starts_with("error: the files break 2 rules; nothing was changed\n"), "{told}");
    for place in ["usr", "user"] {
        assert!(told.contains(&format!("{shop}: connectors/0/configuration/{place}: ")), "{place} {told}");
    }
    for (text, said) in [
        ("a: [", "shop.yaml: "),
        ("connectors: []", "format: pumphouse/pipelines/1"),
        ("format: pumphouse/pipelines/1\nx: 1", "there is no `x`"),
    ] {
        fs::write(&shop, text).unwrap();
        let refused = run(&flow, &["plan"], &scratch).await;
        assert!(refused.refused(2).contains(said), "{said} {refused:?}");
    }
    for (broken, said) in [
        ("password: {CANARY: 1}\npassword: CANARY\n", "line 4, column 1: a key stands there twice in one mapping"),
        ("password: CANARY\n---\npassword: CANARY\n", "a second document begins"),
        ("password: CANARY\nlist: [CANARY, \n", "line "),
        ("password: 'CANARY\n", "line "),
        ("password: \"CANARY\\q\"\n", "line "),
        ("\tpassword: CANARY\n  CANARY: CANARY: CANARY\n", "line "),
        ("password: *CANARY\n", "an alias (`*name`) has no anchor"),
        ("? [CANARY]\n: CANARY\n", "line "),
        ("password: !!binary CANARY!\n", "line "),
    ] {
        fs::write(&shop, format!("format: pumphouse/pipelines/1\nconnectors: []\n{broken}")).unwrap();
        let refused = run(&flow, &["plan"], &scratch).await;
        let told = refused.refused(2);
        assert!(told.starts_with(&format!("error: {shop}: ")) && told.contains(said) && told.lines().count() == 1, "{broken:?} {told}");
        assert!(!refused.err.contains("CANARY") && !told[6..].contains("error") && !told.contains("Options"), "{told}");
    }
    assert_eq!(flow.written().await, before);
    fs::write(&shop, "format: pumphouse/pipelines/1").unwrap();
    let files = scratch.path("files");
    let without = ended(&["plan", "--env", "prod", "-f", &files], &[]).await;
    assert!(without.refused(2).contains("PUMPHOUSE_TOKEN"), "{without:?}");
}

#[tokio::test]
async fn files_that_cannot_come_back_are_told_of_when_they_go_out() {
    let (flow, scratch) = (laid_out().await, Scratch::new("files-shared"));
    let second = json!({"pipelineId": flow.pipeline, "datamodelId": flow.datamodel, "name": "orders", "targetTableName": "elsewhere",
        "targetConnectorId": flow.target});
    flow.stage.root.change("createPipelineSubscription", second, "__typename").await.data();
    let out = run(&flow, &["export"], &scratch).await;
    assert!(out.err.contains("note: there are several called subscription ") && out.err.contains("a name of its own"), "{}", out.err);
    assert!(out.done().starts_with("4 files written to "));
    let refused = run(&flow, &["plan"], &scratch).await;
    assert!(refused.err.contains("a name of its own"), "{}", refused.err);
}

#[tokio::test]
async fn an_address_that_cannot_be_reached_is_told_with_the_cause_and_one_with_a_password_not_at_all() {
    let scratch = Scratch::new("files-nowhere");
    fs::write(scratch.path("a.yaml"), "format: pumphouse/pipelines/1").unwrap();
    let at = async |command: &str, url: &str| {
        let arguments = [command, "--url", url, "--env", "prod", "-f", scratch.0.to_str().unwrap()];
        ended(&arguments, &[("PUMPHOUSE_TOKEN", "t")]).await
    };
    for command in ["export", "plan", "apply"] {
        for (url, cause) in [("http://127.0.0.1:1", "Connection refused"), ("http://nobody.invalid", "lookup")] {
            let nobody = at(command, url).await;
            let told = nobody.refused(1);
            assert!(told.starts_with(&format!("error: {url}/graphql cannot be asked: ")) && told.contains(cause), "{told}");
        }
        for url in ["http://ada:hunter2@127.0.0.1:1", "http://:hunter2@127.0.0.1:1", "ftp://127.0.0.1"] {
            assert_eq!(at(command, url).await.refused(2), "error: --url is an http or https address without a user\n");
        }
    }
}

#[tokio::test]
async fn files_that_are_too_many_for_a_request_name_the_setting() {
    let (flow, scratch) = (Flow::open().await, Scratch::new("files-large"));
    fs::create_dir_all(scratch.path("files")).unwrap();
    let text = format!("format: pumphouse/pipelines/1\nconnectors: [{{name: {}}}]\n", "x".repeat(3 << 20));
    fs::write(scratch.path("files/a.yaml"), text).unwrap();
    let refused = run(&flow, &["plan"], &scratch).await;
    assert!(refused.err.contains("larger than the 2097152 bytes") && refused.err.contains("request_body_limit"), "{refused:?}");
}

#[tokio::test]
async fn an_env_is_found_by_its_name_however_many_there_are() {
    let (flow, scratch) = (laid_out().await, Scratch::new("files-many-envs"));
    for number in 0..205 {
        flow.stage.world.env(&format!("env-{number}")).await;
    }
    for name in ["late", "twin", "twin"] {
        flow.stage.world.env(name).await;
    }
    let (url, files) = (flow.stage.server.url("/graphql"), scratch.path("files"));
    let token = flow.stage.root.token.clone().expect("a token");
    let export = async |env: &str| ended(&["export", "--url", &url, "--env", env, "-f", &files], &[("PUMPHOUSE_TOKEN", &token)]).await;
    assert!(export("late").await.done().starts_with("0 files written to "));
    let twins = export("twin").await;
    assert!(twins.code == Some(2) && twins.err.contains("several envs are called \"twin\"; give the id: "), "{twins:?}");
    let nowhere = export("nowhere").await;
    assert!(nowhere.code == Some(2) && nowhere.err.contains(", and 189 more"), "{nowhere:?}");
}
