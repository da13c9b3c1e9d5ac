// The bar on top: the product's name, how the connection is, who is signed in.
import icon from '../icon.svg';
import { notice, session } from '../api/session';
import { useStore } from '../api/store';
import { Connection } from './Connection';
import { SignedIn } from './SignedIn';
import { SignInForm } from './SignInForm';
import './header.css';

export function Header() {
  const who = useStore(session);
  const said = useStore(notice);
  return (
    <header className="bar">
      <h1 className="brand">
        <img src={icon} alt="" width="24" height="24" />
        Pumphouse
      </h1>
      <Connection />
      {who ? <SignedIn who={who} /> : <SignInForm />}
      <p id="notice" className="notice" role="alert" hidden={said === null}>
        {said?.text}
      </p>
    </header>
  );
}
