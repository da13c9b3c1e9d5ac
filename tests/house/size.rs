//! No file over 600 lines, no function over 60, and every file says at its top what it is.

use syn::spanned::Spanned as _;
use syn::visit::Visit;

use super::{none, rust_files};

const LONGEST_FILE: usize = 600;
const LONGEST_FUNCTION: usize = 60;

/// The functions of a file that are too long.
#[derive(Default)]
struct Long(Vec<String>);

impl Long {
    fn check(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let lines = body.span().end().line + 1 - signature.span().start().line;
        if lines > LONGEST_FUNCTION {
            self.0.push(format!("`{}` has {lines} lines", signature.ident));
        }
    }
}

impl<'ast> Visit<'ast> for Long {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.check(&function.sig, &function.block);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.check(&function.sig, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.check(&function.sig, body);
        }
        syn::visit::visit_trait_item_fn(self, function);
    }
}

#[test]
fn files_and_functions_stay_short() {
    let mut wrong = Vec::new();
    for root in ["src", "tests"] {
        for (file, text) in rust_files(root) {
            if !text.starts_with("//! ") {
                wrong.push(format!("{root}/{file} has no header"));
            }
            let lines = text.lines().count();
            if lines > LONGEST_FILE {
                wrong.push(format!("{root}/{file} has {lines} lines"));
            }
            let mut long = Long::default();
            long.visit_file(&syn::parse_file(&text).unwrap());
            wrong.extend(long.0.into_iter().map(|function| format!("{root}/{file}: {function}")));
        }
    }
    none(&wrong);
}
